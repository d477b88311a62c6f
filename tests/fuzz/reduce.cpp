#include "fuzz/reduce.h"

#include <algorithm>

#include "fuzz/reduce_edits.h"

namespace varylink::fuzz {
namespace {

class Reducer {
 public:
  Reducer(PipelineModel pipeline, const StillFails& still_fails, std::chrono::steady_clock::time_point deadline)
      : best_(std::move(pipeline)), still_fails_(still_fails), deadline_(deadline) {}

  PipelineModel run() {
    settle_edits();
    bool smaller = true;
    while (smaller && !late()) {
      const std::size_t before = size_of(best_);
      drop_whole_stages();
      drop_varyings();
      drop_statements();
      unwrap_statements();
      drop_other_names();
      simplify_expressions();
      drop_edits();
      smaller = size_of(best_) < before;
    }
    return std::move(best_);
  }

 private:
  PipelineModel best_;
  const StillFails& still_fails_;
  std::chrono::steady_clock::time_point deadline_;

  bool late() const { return std::chrono::steady_clock::now() >= deadline_; }

  // Keeps the smaller pipeline if it still fails.
  bool keep_if_failing(PipelineModel&& smaller) {
    if (late() || !still_fails_(smaller)) return false;
    best_ = std::move(smaller);
    return true;
  }

  // Edits at every place do not depend on what else is there, so that the rest can go.
  void settle_edits() {
    if (best_.edits.empty()) return;
    drop_edits();
    PipelineModel everywhere = best_;
    everywhere.edits.everywhere = true;
    keep_if_failing(std::move(everywhere));
  }

  void drop_edits() {
    for (std::size_t left = best_.edits.edits.size(); left > 0; --left) {
      PipelineModel smaller = best_;
      smaller.edits.edits.erase(smaller.edits.edits.begin() + static_cast<std::ptrdiff_t>(left - 1));
      keep_if_failing(std::move(smaller));
    }
    if (best_.env == spirv::TargetEnv::vulkan1_3) return;
    PipelineModel newer = best_;
    newer.env = spirv::TargetEnv::vulkan1_3;
    keep_if_failing(std::move(newer));
  }

  void drop_whole_stages() {
    for (const bool tessellation : {true, false}) {
      PipelineModel smaller = best_;
      if (drop_stages(smaller, tessellation)) keep_if_failing(std::move(smaller));
    }
  }

  void drop_varyings() {
    for (std::size_t stage = 0; stage + 1 < best_.stages.size(); ++stage) {
      for (const std::string& name : output_names(best_.stages[stage])) {
        if (stage + 1 >= best_.stages.size()) return;
        PipelineModel smaller = best_;
        remove_name(smaller.stages[stage], name);
        remove_name(smaller.stages[stage + 1], input_name_of(name));
        keep_if_failing(std::move(smaller));
      }
    }
  }

  void drop_other_names() {
    for (std::size_t stage = 0; stage < best_.stages.size(); ++stage) {
      for (const std::string& name : other_names(best_.stages[stage])) {
        if (is_needed(best_.stages[stage], name)) continue;
        PipelineModel smaller = best_;
        remove_name(smaller.stages[stage], name);
        keep_if_failing(std::move(smaller));
      }
    }
  }

  void drop_statements() {
    for (std::size_t stage = 0; stage < best_.stages.size(); ++stage) {
      for (std::size_t block = 0; block < blocks_of(best_.stages[stage]).size(); ++block) {
        const std::size_t size = blocks_of(best_.stages[stage])[block]->size();
        for (std::size_t chunk = std::max<std::size_t>(1, size / 2); chunk > 0; chunk /= 2)
          drop_chunks(stage, block, chunk);
      }
    }
  }

  void drop_chunks(std::size_t stage, std::size_t block, std::size_t chunk) {
    std::size_t end = blocks_of(best_.stages[stage])[block]->size();
    while (end > 0 && !late()) {
      const std::size_t first = end > chunk ? end - chunk : 0;
      PipelineModel smaller = best_;
      const auto blocks = blocks_of(smaller.stages[stage]);
      if (block >= blocks.size()) return;
      std::vector<Statement>& statements = *blocks[block];
      end = std::min(end, statements.size());
      const auto begin = statements.begin();
      const auto keep_pinned =
          std::stable_partition(begin + static_cast<std::ptrdiff_t>(std::min(first, end)),
                                begin + static_cast<std::ptrdiff_t>(end), [](const Statement& s) { return s.pinned; });
      const bool drops = keep_pinned != begin + static_cast<std::ptrdiff_t>(end);
      statements.erase(keep_pinned, begin + static_cast<std::ptrdiff_t>(end));
      if (drops) keep_if_failing(std::move(smaller));
      end = first;
    }
  }

  // Replaces a branch, loop or switch by one of its bodies.
  void unwrap_statements() {
    for (std::size_t stage = 0; stage < best_.stages.size(); ++stage) {
      for (std::size_t block = 0; block < blocks_of(best_.stages[stage]).size(); ++block) {
        for (std::size_t at = 0; at < blocks_of(best_.stages[stage])[block]->size(); ++at) unwrap(stage, block, at);
      }
    }
  }

  void unwrap(std::size_t stage, std::size_t block, std::size_t at) {
    const std::size_t bodies = (*blocks_of(best_.stages[stage])[block])[at].bodies.size();
    for (std::size_t body = 0; body < bodies && !late(); ++body) {
      PipelineModel smaller = best_;
      std::vector<Statement>& statements = *blocks_of(smaller.stages[stage])[block];
      const std::vector<Statement> inner = statements[at].bodies[body];
      const auto place = statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
      statements.insert(place, inner.begin(), inner.end());
      if (keep_if_failing(std::move(smaller))) return;
    }
  }

  void simplify_expressions() {
    for (std::size_t stage = 0; stage < best_.stages.size(); ++stage) {
      for (std::size_t at = 0; at < expressions_of(best_.stages[stage]).size() && !late(); ++at) simplify(stage, at);
    }
  }

  void simplify(std::size_t stage, std::size_t at) {
    const Expr original = *expressions_of(best_.stages[stage])[at];
    std::vector<Expr> simpler;
    const std::string constant = literal(original.type);
    if (original.pattern == constant) return;
    if (!original.args.empty()) simpler.push_back(leaf(original.type, constant));
    for (const Expr& arg : original.args) {
      if (arg.type == original.type) simpler.push_back(arg);
    }
    if (original.args.empty()) simpler.push_back(leaf(original.type, constant));
    for (const Expr& candidate : simpler) {
      PipelineModel smaller = best_;
      *expressions_of(smaller.stages[stage])[at] = candidate;
      if (keep_if_failing(std::move(smaller))) return;
    }
  }
};

}  // namespace

PipelineModel reduce(PipelineModel pipeline, const StillFails& still_fails,
                     std::chrono::steady_clock::time_point deadline) {
  return Reducer(std::move(pipeline), still_fails, deadline).run();
}

}  // namespace varylink::fuzz
