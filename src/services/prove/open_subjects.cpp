#include "prove/open_subjects.h"

#include <algorithm>

namespace varylink::prove {

void OpenSubjects::add(const Subjects& subjects, const std::vector<Finding>& findings) {
  Subjects values;
  for (const Finding& finding : findings)
    if (finding.subject == Subject::value) values.emplace(finding.stage, finding.what);
  const bool reads =
      std::ranges::any_of(findings, [](const Finding& finding) { return finding.subject == Subject::read; });
  if (!subjects_) {
    subjects_ = subjects;
    values_ = std::move(values);
    reads_ = reads;
  } else if (findings.empty()) {
    values_.clear();
    reads_ = false;
  } else if (subjects == *subjects_) {
    std::erase_if(values_, [&](const auto& subject) { return !values.contains(subject); });
    reads_ = reads_ && reads;
  }
}

bool OpenSubjects::has(const Finding& finding) const {
  return finding.subject == Subject::read ? reads_ : values_.contains({finding.stage, finding.what});
}

}  // namespace varylink::prove
