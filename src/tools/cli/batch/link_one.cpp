#include "cli/batch/link_one.h"

#include "cli/batch/pipeline_job.h"

namespace varylink::cli {

LinkOutcome link_one(const PipelineSource& source, const LinkSettings& settings) {
  PipelineJob job(source, settings);
  if (job.load()) job.link_and_finish();
  return job.take();
}

}  // namespace varylink::cli
