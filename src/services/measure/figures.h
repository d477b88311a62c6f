// The meaning of drivers' statistics, and comparisons between those of two sides.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "measure/measurement.h"

namespace varylink::measure {

enum class Sense {
  fewer_is_better,
  more_is_better,
  unknown,  // nothing that is counted up or called worse
};

// By the driver's name. VK_KHR_pipeline_executable_properties leaves names to drivers; the table behind this knows
// those of Mesa's drivers and of NVIDIA's.
Sense sense_of(std::string_view statistic);

// Whether a change of it makes a stage worse. Of the rest, such as bytes of code, enough else tells.
bool is_judged(std::string_view statistic);

// One statistic of one executable that both sides have.
struct Change {
  std::string stage;      // "frag", "vert+geom", "vert (Binning VS)"
  std::string statistic;  // the driver's name
  double before = 0, after = 0;

  // Percent by which it got worse, below 0 where it got better; 0 where nobody knows. Of nothing, one is 100 %.
  double worse_by() const;
};

// In the order of the original's executables and their statistics. Statistics that only one side has are left out.
std::vector<Change> changes_of(const Measurement& measurement);

// Sums over pipelines, by statistic and kind of stage.
class Sums {
 public:
  struct Sum {
    double before = 0, after = 0;
    std::size_t better = 0, worse = 0;  // executables
  };

  void add(const std::vector<Change>& changes);
  // By statistic, in alphabetical order.
  const std::map<std::string, Sum>& all() const { return sums_; }
  // A line for each: "Instructions 1200 -> 1100 (-8.3 %), 12 better, 1 worse"; with a line break at the end of each.
  std::string text() const;

 private:
  std::map<std::string, Sum> sums_;
};

// "Instructions 30 -> 28 (-6.7 %)".
std::string text_of(const std::string& statistic, double before, double after);

}  // namespace varylink::measure
