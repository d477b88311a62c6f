// Builds SPIR-V assembly text piece by piece, for pipelines that GLSL cannot say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spirv/ir/stage.h"

namespace varylink::fuzz {

// The name of results that compilers may round as they like.
inline constexpr const char* kFreeResult = "free";

// One module with one or more entry points. Types and constants are made once; ids are "%t0", "%v12", ...
class Assembly {
 public:
  // Global pieces. Each returns the id.
  std::string type(const std::string& definition);                             // "OpTypeVector %t0 4"
  std::string constant(const std::string& type_id, const std::string& value);  // "OpConstant %type value"
  std::string composite(const std::string& type_id, const std::string& parts);
  std::string pointer(const std::string& storage, const std::string& type_id);
  std::string variable(const std::string& storage, const std::string& type_id, const std::string& initializer = {});
  std::string undef(const std::string& type_id);
  void declare(const std::string& line) { globals_ += line + "\n"; }  // "%block0 = OpTypeStruct %t1"

  std::string float_type() { return type("OpTypeFloat 32"); }
  std::string int_type() { return type("OpTypeInt 32 1"); }
  std::string uint_type() { return type("OpTypeInt 32 0"); }
  std::string bool_type() { return type("OpTypeBool"); }
  std::string vector(const std::string& component, int rows);
  std::string floats(int rows) { return rows == 1 ? float_type() : vector(float_type(), rows); }
  std::string float_constant(const std::string& value) { return constant(float_type(), value); }
  std::string int_constant(int value) { return constant(int_type(), std::to_string(value)); }
  std::string uint_constant(unsigned value) { return constant(uint_type(), std::to_string(value)); }

  void capability(const std::string& name);
  void extension(const std::string& name);
  std::string import(const std::string& set);
  void decorate(const std::string& target, const std::string& decoration);
  // Float arithmetic with this result stays without NoContraction in exact pipelines (candidate.h).
  std::string free(const std::string& result) {
    names_ += "OpName " + result + " \"" + kFreeResult + "\"\n";
    return result;
  }
  void annotation(const std::string& line) { annotations_ += line + "\n"; }
  std::string fresh(const std::string& prefix);

  // ---- functions. begin_entry opens the entry function of the stage; instructions go to it until end_entry.
  void begin_entry(Stage stage, const std::string& name);
  void end_entry();
  std::string op(const std::string& type_id, const std::string& instruction);  // "OpFAdd %a %b" -> id
  void line(const std::string& instruction) { body_ += instruction + "\n"; }
  std::string load(const std::string& type_id, const std::string& pointer_id) {
    return op(type_id, "OpLoad " + pointer_id);
  }
  void store(const std::string& pointer_id, const std::string& value) { line("OpStore " + pointer_id + " " + value); }
  std::string label();  // opens a block, returns its id
  void open(const std::string& label_id) {
    line(label_id + " = OpLabel");
    current_ = label_id;
  }
  const std::string& current_block() const { return current_; }

  // Whether the entry point lists all globals (SPIR-V 1.4 and newer) or only inputs and outputs.
  bool lists_all_globals = true;

  std::string text() const;

 private:
  int next_ = 0;
  std::map<std::string, std::string> known_;  // definition -> id
  std::map<std::string, int> once_;           // capabilities and extensions
  std::string capabilities_, extensions_, imports_, entries_, modes_, names_, annotations_, globals_, functions_, body_;
  std::string interface_, current_;
  Stage stage_ = Stage::vertex;
  std::string entry_name_, entry_id_;

  std::string define(const std::string& definition, const std::string& prefix);
};

}  // namespace varylink::fuzz
