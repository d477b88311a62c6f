// How often each generator feature, pass, outcome and remark was seen: what never fires is a hole in the generator.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "link/model/pipeline.h"

namespace varylink::fuzz {

class Coverage {
 public:
  // `group` is one of "feature", "pass", "fate", "reason", "remark", "verdict", "level"; counts are kept per name.
  void count(const std::string& group, const std::string& name, std::uint64_t times = 1) {
    groups_[group][name] += times;
  }

  // Fates with their reasons, and remarks. Numbers in texts are replaced by '#', so that equal remarks add up.
  void count_report(const link::LinkedPipeline& linked);

  void merge(const Coverage& other);
  std::uint64_t value(const std::string& group, const std::string& name) const;
  std::map<std::string, std::uint64_t> group(const std::string& group) const;  // by name

  // One line per entry, "group\tname\tcount", and back. Lines that are not of this form are ignored.
  std::string serialize() const;
  void add_line(std::string_view line);

  // The table. Features of the generator that never fired are listed, too.
  std::string table() const;

 private:
  std::map<std::string, std::map<std::string, std::uint64_t>> groups_;
};

}  // namespace varylink::fuzz
