#include "fuzz/reduce_edits.h"

#include <algorithm>

namespace varylink::fuzz {
namespace {

void remove_from_expr(Expr& expr, const std::string& name) {
  if (mentions(std::string_view(expr.pattern), name)) {
    expr = leaf(expr.type, literal(expr.type), 1.0);
    return;
  }
  for (Expr& arg : expr.args) remove_from_expr(arg, name);
}

void remove_from_block(std::vector<Statement>& block, const std::string& name) {
  std::erase_if(block, [&](const Statement& s) { return mentions(std::string_view(s.pattern), name); });
  for (Statement& statement : block) {
    for (Expr& arg : statement.args) remove_from_expr(arg, name);
    for (auto& body : statement.bodies) remove_from_block(body, name);
  }
}

bool is_needed_in(const std::vector<Statement>& block, const std::string& name) {
  return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
    if (statement.pinned && mentions(std::string_view(statement.pattern), name)) return true;
    return std::any_of(statement.bodies.begin(), statement.bodies.end(),
                       [&](const auto& body) { return is_needed_in(body, name); });
  });
}

bool is_output(const Declaration& declaration) {
  return declaration.name.size() > 1 && declaration.name[0] == 'o' &&
         std::isdigit(static_cast<unsigned char>(declaration.name[1]));
}

bool declares_output(const Declaration& declaration) {
  return is_output(declaration) || std::any_of(declaration.members.begin(), declaration.members.end(), is_output);
}

bool declares_input(const Declaration& declaration) {
  const auto is_input = [](const Declaration& d) {
    return d.name.size() > 1 && d.name[0] == 'i' && std::isdigit(static_cast<unsigned char>(d.name[1]));
  };
  return is_input(declaration) || std::any_of(declaration.members.begin(), declaration.members.end(), is_input);
}

void collect_blocks(std::vector<Statement>& block, std::vector<std::vector<Statement>*>& blocks) {
  blocks.push_back(&block);
  for (Statement& statement : block) {
    for (auto& body : statement.bodies) collect_blocks(body, blocks);
  }
}

void collect_expressions(Expr& expr, std::vector<Expr*>& expressions) {
  expressions.push_back(&expr);
  for (Expr& arg : expr.args) collect_expressions(arg, expressions);
}

// A value that differs between vertices where the type allows it.
std::string vertex_value(const Type& type) {
  if (!type.is_simple() || type.base == Base::boolean) return literal(type);
  const bool floating = !type.is_integer();
  return glsl_name(type) + (floating ? "(float(gl_VertexIndex % 7) * 0.125)" : "(gl_VertexIndex % 7)");
}

void write_outputs(StageModel& stage, const Declaration& declaration) {
  const auto write = [&](const Declaration& output, const std::string& prefix) {
    Statement statement;
    statement.pattern = prefix + output.name + " = " + vertex_value(output.type) + ";";
    statement.pinned = true;
    stage.main.push_back(std::move(statement));
  };
  if (is_output(declaration)) write(declaration, {});
  // " ob1_0;" is the instance name, ";" alone means that members are globals.
  std::string instance =
      declaration.tail.size() > 2 ? declaration.tail.substr(1, declaration.tail.size() - 2) + "." : "";
  for (const Declaration& member : declaration.members) write(member, instance);
}

}  // namespace

void remove_name(StageModel& stage, const std::string& name) {
  for (Declaration& declaration : stage.declarations) {
    const bool had_members = !declaration.members.empty();
    std::erase_if(declaration.members, [&](const Declaration& member) { return member.name == name; });
    if (had_members && declaration.members.empty()) declaration.name = name;
  }
  std::erase_if(stage.declarations, [&](const Declaration& declaration) { return declaration.name == name; });
  std::erase_if(stage.functions, [&](const FunctionDefinition& function) { return function.name == name; });
  remove_from_block(stage.main, name);
  for (FunctionDefinition& function : stage.functions) remove_from_block(function.body, name);
}

bool is_needed(const StageModel& stage, const std::string& name) {
  return is_needed_in(stage.main, name) ||
         std::any_of(stage.functions.begin(), stage.functions.end(),
                     [&](const FunctionDefinition& function) { return is_needed_in(function.body, name); });
}

std::vector<std::string> output_names(const StageModel& producer) {
  std::vector<std::string> names;
  for (const Declaration& declaration : producer.declarations) {
    if (is_output(declaration)) names.push_back(declaration.name);
    for (const Declaration& member : declaration.members) {
      if (is_output(member)) names.push_back(member.name);
    }
  }
  return names;
}

std::string input_name_of(const std::string& output_name) { return "i" + output_name.substr(1); }

std::vector<std::string> other_names(const StageModel& stage) {
  std::vector<std::string> names;
  for (const FunctionDefinition& function : stage.functions) names.push_back(function.name);
  for (const Declaration& declaration : stage.declarations) {
    const bool varying = declares_output(declaration) || declares_input(declaration);
    if (!declaration.name.empty() && !varying) names.push_back(declaration.name);
  }
  return names;
}

bool drop_stages(PipelineModel& pipeline, bool tessellation) {
  const auto is_dropped = [&](const StageModel& stage) {
    if (!tessellation) return stage.stage == Stage::geometry;
    return stage.stage == Stage::tess_control || stage.stage == Stage::tess_eval;
  };
  auto first = std::find_if(pipeline.stages.begin(), pipeline.stages.end(), is_dropped);
  if (first == pipeline.stages.end() || first == pipeline.stages.begin()) return false;
  auto last = std::find_if_not(first, pipeline.stages.end(), is_dropped);
  StageModel& producer = *std::prev(first);
  const StageModel& writer = *std::prev(last);
  for (const std::string& name : output_names(producer)) remove_name(producer, name);
  std::erase_if(producer.declarations, [](const Declaration& d) { return d.text.rfind("struct S", 0) == 0; });
  for (const Declaration& declaration : writer.declarations) {
    const bool is_struct = declaration.text.rfind("struct S", 0) == 0;
    if (is_struct || declares_output(declaration)) producer.declarations.push_back(declaration);
    if (declares_output(declaration)) write_outputs(producer, declaration);
  }
  pipeline.stages.erase(first, last);
  return true;
}

std::vector<std::vector<Statement>*> blocks_of(StageModel& stage) {
  std::vector<std::vector<Statement>*> blocks;
  collect_blocks(stage.main, blocks);
  for (FunctionDefinition& function : stage.functions) collect_blocks(function.body, blocks);
  return blocks;
}

std::vector<Expr*> expressions_of(StageModel& stage) {
  std::vector<Expr*> expressions;
  for (std::vector<Statement>* block : blocks_of(stage)) {
    for (Statement& statement : *block) {
      for (Expr& arg : statement.args) collect_expressions(arg, expressions);
    }
  }
  return expressions;
}

}  // namespace varylink::fuzz
