#include "fuzz/assembly.h"

namespace varylink::fuzz {

std::string Assembly::fresh(const std::string& prefix) { return "%" + prefix + std::to_string(next_++); }

std::string Assembly::define(const std::string& definition, const std::string& prefix) {
  const auto [entry, is_new] = known_.try_emplace(definition);
  if (!is_new) return entry->second;
  entry->second = fresh(prefix);
  globals_ += entry->second + " = " + definition + "\n";
  return entry->second;
}

std::string Assembly::type(const std::string& definition) { return define(definition, "t"); }

std::string Assembly::constant(const std::string& type_id, const std::string& value) {
  return define("OpConstant " + type_id + " " + value, "c");
}

std::string Assembly::composite(const std::string& type_id, const std::string& parts) {
  return define("OpConstantComposite " + type_id + " " + parts, "c");
}

std::string Assembly::pointer(const std::string& storage, const std::string& type_id) {
  return define("OpTypePointer " + storage + " " + type_id, "t");
}

std::string Assembly::undef(const std::string& type_id) { return define("OpUndef " + type_id, "u"); }

std::string Assembly::vector(const std::string& component, int rows) {
  return type("OpTypeVector " + component + " " + std::to_string(rows));
}

std::string Assembly::variable(const std::string& storage, const std::string& type_id, const std::string& initializer) {
  const std::string pointer_id = pointer(storage, type_id);
  const std::string id = fresh("var");
  globals_ +=
      id + " = OpVariable " + pointer_id + " " + storage + (initializer.empty() ? "" : " " + initializer) + "\n";
  if (lists_all_globals || storage == "Input" || storage == "Output") interface_ += " " + id;
  return id;
}

void Assembly::capability(const std::string& name) {
  if (once_["capability " + name]++ == 0) capabilities_ += "OpCapability " + name + "\n";
}

void Assembly::extension(const std::string& name) {
  if (once_["extension " + name]++ == 0) extensions_ += "OpExtension \"" + name + "\"\n";
}

std::string Assembly::import(const std::string& set) {
  const auto [entry, is_new] = known_.try_emplace("import " + set);
  if (!is_new) return entry->second;
  entry->second = fresh("set");
  imports_ += entry->second + " = OpExtInstImport \"" + set + "\"\n";
  return entry->second;
}

void Assembly::decorate(const std::string& target, const std::string& decoration) {
  annotations_ += "OpDecorate " + target + " " + decoration + "\n";
}

void Assembly::begin_entry(Stage stage, const std::string& name) {
  capability("Shader");
  stage_ = stage;
  entry_name_ = name;
  entry_id_ = fresh("main");
  interface_.clear();
  body_.clear();
  const std::string void_type = type("OpTypeVoid");
  const std::string function_type = type("OpTypeFunction " + void_type);
  line(entry_id_ + " = OpFunction " + void_type + " None " + function_type);
  label();
}

void Assembly::end_entry() {
  line("OpReturn");
  line("OpFunctionEnd");
  const bool fragment = stage_ == Stage::fragment;
  entries_ += std::string("OpEntryPoint ") + (fragment ? "Fragment " : "Vertex ") + entry_id_ + " \"" + entry_name_ +
              "\"" + interface_ + "\n";
  if (fragment) modes_ += "OpExecutionMode " + entry_id_ + " OriginUpperLeft\n";
  functions_ += body_;
}

std::string Assembly::op(const std::string& type_id, const std::string& instruction) {
  const std::string id = fresh("v");
  const std::size_t space = instruction.find(' ');
  line(id + " = " + instruction.substr(0, space) + " " + type_id +
       (space == std::string::npos ? "" : instruction.substr(space)));
  return id;
}

std::string Assembly::label() {
  const std::string id = fresh("b");
  open(id);
  return id;
}

std::string Assembly::text() const {
  return capabilities_ + extensions_ + imports_ + "OpMemoryModel Logical GLSL450\n" + entries_ + modes_ + names_ +
         annotations_ + globals_ + functions_;
}

}  // namespace varylink::fuzz
