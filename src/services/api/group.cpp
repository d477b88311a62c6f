// Groups: varylink_group_*.
#include <algorithm>
#include <memory>
#include <optional>

#include "api/convert.h"
#include "api/guard.h"
#include "api/link_steps.h"
#include "api/sized_struct.h"
#include "driver/link_group.h"
#include "link/model/name_files.h"
#include "report/run_options.h"
#include "spirv/tools/valid_words.h"

namespace varylink::api {
namespace {

class Memory : public share::ModuleStore {
 public:
  void keep(std::size_t, const std::vector<std::uint32_t>& words) override { words_.push_back(words); }
  std::vector<std::uint32_t> words(std::size_t module) const override { return words_[module]; }

 private:
  std::vector<std::vector<std::uint32_t>> words_;
};

Result<share::SharedRequest> request_from_c(const varylink_group_info* given) {
  varylink_group_info info = {};
  if (given != nullptr && !read_sized(*given, info)) return misuse("varylink_group_info: bad struct_size");
  share::SharedRequest request;
  switch (info.sharing) {
    case VARYLINK_SHARING_NOTHING: request.sharing = share::Sharing::none; break;
    case VARYLINK_SHARING_SPECIALIZE: request.sharing = share::Sharing::specialize; break;
    case VARYLINK_SHARING_UNION: request.sharing = share::Sharing::together; break;
    case VARYLINK_SHARING_CLUSTER: request.sharing = share::Sharing::cluster; break;
    default: return misuse("varylink_group_info: sharing is no varylink_sharing");
  }
  if (info.max_variants != 0) request.max_variants = info.max_variants;
  return request;
}

Result<void> check_names(const varylink_group& group) {
  for (const std::vector<std::string>& names : group.request.invariance_groups)
    for (const std::string& name : names)
      if (std::none_of(group.pipelines.begin(), group.pipelines.end(),
                       [&](const varylink_pipeline& pipeline) { return pipeline.name == name; }))
        return misuse("varylink_group_add_invariance: the group has no pipeline '" + name + "'");
  return {};
}

// By pipeline. Those that cannot be read have their failure only.
struct GroupResults {
  std::vector<Reading> readings;
  std::vector<link::LinkedPipeline> linked;
  std::vector<report::ReportEntry> records;

  explicit GroupResults(std::size_t count) : readings(count), linked(count), records(count) {}
};

class GroupLink {
 public:
  // All must outlive the object, which fills in the results.
  GroupLink(const varylink_group& group, const LinkRequest& request, GroupResults& results)
      : group_(group),
        request_(request),
        results_(results),
        shared_(
            group.request, request.options, memory_,
            [this](const auto& input, link::LinkOptions options, std::string*) {
              options.valid_words = &valid_words_;
              link::LinkedGroup linked = driver::link_group(input, options);
              link::name_files(linked.pipelines, input.modules);
              return linked;
            },
            goals_of(request),
            [this](std::size_t pipeline, const auto& linked, const auto& trial) {
              return judge(pipeline, linked, trial);
            }) {}

  void run() {
    for (std::size_t i = 0; i < group_.pipelines.size(); ++i) {
      const varylink_pipeline& pipeline = group_.pipelines[i];
      Reading& reading = results_.readings[i] = read(pipeline, compile_options(pipeline, request_.options));
      results_.linked[i].failure = reading.failure;
      shared_.add(reading.failure == ErrorKind::none ? &reading.pipeline : nullptr);
    }
    for (const share::Bundle& bundle : shared_.bundles())
      shared_.link(bundle, [&](std::size_t pipeline, link::LinkedPipeline&& result, const std::string&) {
        finish(pipeline, std::move(result));
      });
  }

 private:
  driver::Goals judge(std::size_t pipeline, const link::LinkedPipeline& linked, const share::SharedLink::Trial& trial) {
    std::optional<report::ProofRecord>& proof = results_.records[pipeline].proof;
    if (!trial.attempt && !proof) return 0;
    const auto level = trial.attempt ? trial.attempt->options.level : static_cast<link::Level>(proof->level);
    return prove(results_.readings[pipeline].pipeline, linked, request_, level, proof);
  }

  void finish(std::size_t pipeline, link::LinkedPipeline&& result) {
    require_proof(request_, results_.records[pipeline].proof, result);
    results_.linked[pipeline] = std::move(result);
  }

  const varylink_group& group_;
  const LinkRequest& request_;
  GroupResults& results_;
  Memory memory_;
  spirv::KeptValidWords valid_words_;
  share::SharedLink shared_;
};

std::unique_ptr<varylink_group_result> link_group(const varylink_group& group, const LinkRequest& request) {
  GroupResults all(group.pipelines.size());
  GroupLink(group, request, all).run();
  report::RunRecord run = run_record(request.options);
  const auto sharing = report::options_that_matter(group.request);
  run.options.insert(run.options.end(), sharing.begin(), sharing.end());
  auto result = std::make_unique<varylink_group_result>();
  for (std::size_t i = 0; i < all.records.size(); ++i) {
    add_lines(group.pipelines[i], request.options, all.linked[i]);
    result->results.push_back(
        result_of(group.pipelines[i], request, std::move(all.readings[i]), std::move(all.linked[i]), all.records[i]));
    if (request.has_report) result->results.back()->report = report::json_report(run, {&all.records[i], 1});
    if (result->status == VARYLINK_SUCCESS) result->status = result->results.back()->status;
  }
  run.lists_modules = group.request.sharing != share::Sharing::none;
  if (request.has_report) result->report = report::json_report(run, all.records);
  return result;
}

Result<void> add_invariance(varylink_group& group, const char* const* names, std::size_t count) {
  if (names == nullptr || count < 2) return misuse("names: an invariance group is of two or more pipelines");
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(text_of(names[i]));
    if (list.back().empty()) return misuse("names: a pipeline without a name");
  }
  group.request.invariance_groups.push_back(std::move(list));
  return {};
}

}  // namespace
}  // namespace varylink::api

using namespace varylink;

varylink_status varylink_group_create(varylink_context* context, const varylink_group_info* info,
                                      varylink_group** group) {
  if (group != nullptr) *group = nullptr;
  if (context == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*context, [&]() -> Result<varylink_status> {
    if (group == nullptr) return api::misuse("group is NULL");
    Result<share::SharedRequest> request = api::request_from_c(info);
    if (!request) return request.error();
    auto made = std::make_unique<varylink_group>();
    made->context = context;
    made->request = std::move(*request);
    *group = made.release();
    return VARYLINK_SUCCESS;
  });
}

void varylink_group_destroy(varylink_group* group) { delete group; }

varylink_status varylink_group_add_pipeline(varylink_group* group, const varylink_pipeline* pipeline) {
  if (group == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*group->context, [&]() -> Result<varylink_status> {
    if (pipeline == nullptr) return api::misuse("pipeline is NULL");
    if (pipeline->context != group->context) return api::misuse("pipeline is of another context");
    group->pipelines.push_back(*pipeline);
    return VARYLINK_SUCCESS;
  });
}

varylink_status varylink_group_add_invariance(varylink_group* group, const char* const* names, size_t name_count) {
  if (group == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*group->context, [&]() -> Result<varylink_status> {
    if (const Result<void> added = api::add_invariance(*group, names, name_count); !added) return added.error();
    return VARYLINK_SUCCESS;
  });
}

varylink_status varylink_group_link(varylink_group* group, const varylink_link_options* options,
                                    varylink_group_result** result) {
  if (result != nullptr) *result = nullptr;
  if (group == nullptr) return VARYLINK_ERROR_INVALID_ARGUMENT;
  return api::guarded(*group->context, [&]() -> Result<varylink_status> {
    if (result == nullptr) return api::misuse("result is NULL");
    const Result<api::LinkRequest> request = api::options_from_c(options);
    if (!request) return request.error();
    if (const Result<void> known = api::check_names(*group); !known) return known.error();
    std::unique_ptr<varylink_group_result> made = api::link_group(*group, *request);
    *result = made.release();
    return (*result)->status;
  });
}

void varylink_group_result_destroy(varylink_group_result* result) { delete result; }

varylink_status varylink_group_result_status(const varylink_group_result* result) {
  return result == nullptr ? VARYLINK_ERROR_INVALID_ARGUMENT : result->status;
}

size_t varylink_group_result_count(const varylink_group_result* result) {
  return result == nullptr ? 0 : result->results.size();
}

const varylink_result* varylink_group_result_get(const varylink_group_result* result, size_t index) {
  return result == nullptr || index >= result->results.size() ? nullptr : result->results[index].get();
}

const char* varylink_group_result_report(const varylink_group_result* result) {
  return result == nullptr ? nullptr : result->report.c_str();
}
