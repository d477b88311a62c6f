#include "fuzz/model.h"

#include <algorithm>
#include <cctype>

namespace varylink::fuzz {
namespace {

std::string_view scalar_name(Base base) {
  switch (base) {
    case Base::float32: return "float";
    case Base::sint32: return "int";
    case Base::uint32: return "uint";
    case Base::float64: return "double";
    case Base::float16: return "float16_t";
    case Base::boolean: return "bool";
  }
  return "float";
}

std::string_view vector_prefix(Base base) {
  switch (base) {
    case Base::float32: return "";
    case Base::sint32: return "i";
    case Base::uint32: return "u";
    case Base::float64: return "d";
    case Base::float16: return "f16";
    case Base::boolean: return "b";
  }
  return "";
}

std::string_view scalar_literal(Base base) {
  switch (base) {
    case Base::float32: return "0.5";
    case Base::sint32: return "3";
    case Base::uint32: return "5u";
    case Base::float64: return "0.5lf";
    case Base::float16: return "0.5hf";
    case Base::boolean: return "true";
  }
  return "0.5";
}

std::string dims_text(const Type& type) {
  std::string text;
  for (const int dim : type.dims) text += "[" + std::to_string(dim) + "]";
  return text;
}

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void print_block(const std::vector<Statement>& block, int depth, std::string& out);

void print_statement(const Statement& statement, int depth, std::string& out) {
  out.append(static_cast<std::size_t>(depth) * 2, ' ');
  const std::string& pattern = statement.pattern;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool hole = (pattern[i] == '$' || pattern[i] == '@') && i + 1 < pattern.size();
    if (!hole) {
      out += pattern[i];
      continue;
    }
    const auto index = static_cast<std::size_t>(pattern[i + 1] - '0');
    if (pattern[i] == '$') out += print(statement.args[index]);
    if (pattern[i] == '@') {
      out += "{\n";
      print_block(statement.bodies[index], depth + 1, out);
      out.append(static_cast<std::size_t>(depth) * 2, ' ');
      out += "}";
    }
    ++i;
  }
  out += "\n";
}

void print_block(const std::vector<Statement>& block, int depth, std::string& out) {
  for (const Statement& statement : block) print_statement(statement, depth, out);
}

void print_declaration(const Declaration& declaration, std::string& out) {
  out += declaration.text;
  if (!declaration.members.empty()) {
    out += " {\n";
    for (const Declaration& member : declaration.members) out += "  " + member.text + "\n";
    out += "}" + declaration.tail;
  }
  out += "\n";
}

std::size_t size_of(const Expr& expr) {
  std::size_t size = 1;
  for (const Expr& arg : expr.args) size += size_of(arg);
  return size;
}

std::size_t size_of(const std::vector<Statement>& block) {
  std::size_t size = 0;
  for (const Statement& statement : block) {
    ++size;
    for (const Expr& arg : statement.args) size += size_of(arg);
    for (const auto& body : statement.bodies) size += size_of(body);
  }
  return size;
}

}  // namespace

bool operator==(const Type& left, const Type& right) {
  if (left.dims != right.dims || left.structure != right.structure) return false;
  return left.structure || (left.base == right.base && left.rows == right.rows && left.columns == right.columns);
}

Type simple_type(Base base, int rows) {
  Type type;
  type.base = base;
  type.rows = rows;
  return type;
}

Type element_type(const Type& array) {
  Type type = array;
  type.dims.erase(type.dims.begin());
  return type;
}

std::string glsl_name(const Type& type) {
  if (type.structure) return type.structure->name;
  if (type.columns > 1) {
    const std::string prefix = type.base == Base::float64 ? "dmat" : "mat";
    return prefix + std::to_string(type.columns) + "x" + std::to_string(type.rows);
  }
  if (type.rows == 1) return std::string(scalar_name(type.base));
  return std::string(vector_prefix(type.base)) + "vec" + std::to_string(type.rows);
}

std::string declare(const Type& type, const std::string& name) {
  return glsl_name(type) + " " + name + dims_text(type);
}

std::string full_name(const Type& type) { return glsl_name(type) + dims_text(type); }

std::string literal(const Type& type) {
  std::string text;
  if (type.is_array()) {
    const std::string element = literal(element_type(type));
    for (int i = 0; i < type.dims[0]; ++i) text += (i ? ", " : "") + element;
    return full_name(type) + "(" + text + ")";
  }
  if (type.structure) {
    for (const Member& member : type.structure->members) text += (text.empty() ? "" : ", ") + literal(member.type);
    return type.structure->name + "(" + text + ")";
  }
  const std::string scalar{scalar_literal(type.base)};
  return type.is_scalar() ? scalar : glsl_name(type) + "(" + scalar + ")";
}

int location_count(const Type& type) {
  if (type.is_array()) return type.dims[0] * location_count(element_type(type));
  if (type.structure) {
    int count = 0;
    for (const Member& member : type.structure->members) count += location_count(member.type);
    return count;
  }
  return type.columns * (type.base == Base::float64 && type.rows > 2 ? 2 : 1);
}

bool contains_base(const Type& type, Base base) {
  if (!type.structure) return type.base == base;
  const auto& members = type.structure->members;
  return std::any_of(members.begin(), members.end(), [&](const Member& m) { return contains_base(m.type, base); });
}

bool is_32_bit(const Type& type) { return type.base != Base::float64 && type.base != Base::float16; }

bool must_be_flat(const Type& type) {
  return contains_base(type, Base::sint32) || contains_base(type, Base::uint32) || contains_base(type, Base::float64);
}

Expr leaf(Type type, std::string text, double bound) {
  Expr expr;
  expr.type = std::move(type);
  expr.pattern = std::move(text);
  expr.bound = bound;
  return expr;
}

std::string print(const Expr& expr) {
  std::string out;
  for (std::size_t i = 0; i < expr.pattern.size(); ++i) {
    if (expr.pattern[i] != '$') {
      out += expr.pattern[i];
      continue;
    }
    out += print(expr.args[static_cast<std::size_t>(expr.pattern[++i] - '0')]);
  }
  return out;
}

namespace {

// What a source needs extensions for, by a part of the names that they bring.
std::string extensions_of(const std::string& source) {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> extensions = {
      {"GL_EXT_shader_explicit_arithmetic_types",
       {"16_t", "16vec", "8vec", "64_t", "64vec", "2x16(", "2x32(", "unpack8(", "ToUint64("}},
      {"GL_EXT_demote_to_helper_invocation", {"demote;"}},
      {"GL_EXT_buffer_reference", {"buffer_reference"}},
      {"GL_EXT_nonuniform_qualifier", {"nonuniformEXT("}},
  };
  std::string text;
  for (const auto& [extension, names] : extensions) {
    const auto occurs = [&](const std::string& name) { return source.find(name) != std::string::npos; };
    if (std::any_of(names.begin(), names.end(), occurs)) text += "#extension " + extension + " : require\n";
  }
  return text;
}

}  // namespace

std::string print(const StageModel& stage) {
  std::string out;
  for (const Declaration& declaration : stage.declarations) print_declaration(declaration, out);
  for (const FunctionDefinition& function : stage.functions) {
    out += "\n" + function.header + " {\n";
    print_block(function.body, 1, out);
    out += "}\n";
  }
  out += "\nvoid main() {\n";
  print_block(stage.main, 1, out);
  out += "}\n";
  return "#version 460\n" + extensions_of(out) + out;
}

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !is_identifier(text[at - 1]);
    const std::size_t end = at + name.size();
    if (starts && (end == text.size() || !is_identifier(text[end]))) return true;
  }
  return false;
}

bool mentions(const Expr& expr, std::string_view name) {
  return mentions(std::string_view(expr.pattern), name) ||
         std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr& arg) { return mentions(arg, name); });
}

bool mentions(const Statement& statement, std::string_view name) {
  if (mentions(std::string_view(statement.pattern), name)) return true;
  for (const Expr& arg : statement.args) {
    if (mentions(arg, name)) return true;
  }
  for (const auto& body : statement.bodies) {
    for (const Statement& inner : body) {
      if (mentions(inner, name)) return true;
    }
  }
  return false;
}

std::size_t size_of(const PipelineModel& pipeline) {
  std::size_t size = 0;
  for (const StageModel& stage : pipeline.stages) {
    for (const Declaration& declaration : stage.declarations) size += 1 + declaration.members.size();
    for (const FunctionDefinition& function : stage.functions) size += 1 + size_of(function.body);
    size += size_of(stage.main);
  }
  return size;
}

}  // namespace varylink::fuzz
