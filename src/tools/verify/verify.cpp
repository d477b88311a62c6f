#include "verify/verify.h"

#include <algorithm>
#include <cstdio>

#include "verify/compare_frames.h"
#include "verify/given_targets.h"
#include "verify/normalized_shader.h"
#include "verify/png.h"
#include "verify/probe.h"
#include "verify/renderer.h"
#include "verify/whole_mesh_stores.h"
#include "verify/wide_interface.h"

namespace varylink::verify {
namespace {

constexpr std::uint32_t kLargestSide = 1024;

Result<bool> stores_mesh_outputs_in_parts(const std::vector<link::StageInput>& stages) {
  for (const link::StageInput& stage : stages) {
    if (stage.stage != Stage::mesh) continue;
    Result<Shader> shader = reflect_shader(stage);
    if (!shader) return shader.error();
    return stores_parts_of_vectors(shader->module);
  }
  return false;
}

Result<std::vector<Shader>> reflect_all(const std::vector<link::StageInput>& stages, bool with_whole_mesh_stores) {
  std::vector<Shader> result;
  for (const link::StageInput& stage : stages) {
    Result<Shader> shader = reflect_shader(stage);
    if (!shader) return shader.error();
    const auto words_of = [&](Shader& drawn) {
      if (drawn.stage == Stage::mesh && with_whole_mesh_stores) store_whole_vectors(drawn.module, drawn.entry);
      return normalized_shader(drawn);
    };
    shader->words = words_of(*shader);
    Result<std::optional<Shader>> open = reflect_unspecialized(stage);
    if (!open) return open.error();
    if (*open) {
      shader->words = words_of(**open);
      shader->given = (*open)->given;
    }
    result.push_back(std::move(*shader));
  }
  std::sort(result.begin(), result.end(), [](const Shader& a, const Shader& b) { return a.stage < b.stage; });
  return result;
}

bool same_stages(const std::vector<Shader>& a, const std::vector<Shader>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Shader& x, const Shader& y) { return x.stage == y.stage; });
}

Comparison not_run(const std::string& reason) {
  Comparison result;
  result.reason = reason;
  return result;
}

// Everything that is drawn with, for one set of targets.
struct Setup {
  std::string note;  // said behind the name of a run
  Needs needs;
  std::unique_ptr<Renderer> renderer;
  std::unique_ptr<Pipelines> before, after;
};

// Targets that every run is drawn to.
struct Way {
  std::unique_ptr<Setup> setup;
  std::unique_ptr<Setup> single;  // the same with one sample per pixel, made when it is needed
};

// One comparison with everything it needs.
class Session {
 public:
  Session(Gpu& gpu, const VerifyOptions& options, std::vector<Shader> original, std::vector<Shader> linked)
      : gpu_(gpu), options_(options), original_(std::move(original)), linked_(std::move(linked)) {}

  Comparison run() {
    Result<Needs> needs = collect_needs(gpu_, original_, linked_, options_.state);
    if (!needs) return not_run(needs.error().message);
    if (const Result<void> made = add_ways(*needs); !made) return not_run(made.error().message);
    draw_all();
    if (failure_) return *failure_;
    conclude();
    return std::move(comparison_);
  }

 private:
  Result<void> make_setup(const Needs& needs, std::string note, std::unique_ptr<Setup>& setup) {
    const VkExtent2D extent{std::clamp(options_.width, 1u, kLargestSide),
                            std::clamp(options_.height, 1u, kLargestSide)};
    setup = std::make_unique<Setup>();
    setup->note = std::move(note);
    setup->needs = needs;
    Result<std::unique_ptr<Renderer>> renderer = Renderer::create(gpu_, setup->needs, options_.seed, extent);
    if (!renderer) return renderer.error();
    setup->renderer = std::move(*renderer);
    const auto pipelines = [&](const std::vector<Shader>& shaders) {
      return std::make_unique<Pipelines>(gpu_, setup->needs, shaders, setup->renderer->pipeline_target());
    };
    setup->before = pipelines(original_);
    setup->after = pipelines(linked_);
    return {};
  }

  // Targets of 32 bits, where every difference shows, and those that the state gives.
  Result<void> add_ways(Needs& needs) {
    const std::optional<Needs> given = with_given_targets(gpu_, options_.state, needs);
    comparison_.not_drawn = needs.not_drawn;
    if (const Result<void> made = make_setup(needs, {}, ways_.emplace_back().setup); !made) return made;
    if (!given) return {};
    return make_setup(*given, " (given formats)", ways_.emplace_back().setup);
  }

  void draw_all() {
    const std::uint32_t wanted = std::max(1u, options_.runs);
    std::uint32_t informative = 0;
    for (const Strategy& strategy : strategies_for(ways_.front().setup->needs, wanted, options_.turn)) {
      for (Way& way : ways_)
        if (!draw_way(way, strategy)) return;
      if (comparison_.runs[comparison_.runs.size() - ways_.size()].informative) ++informative;
      if (informative == wanted) return;
    }
  }

  // False if there is nothing more to draw: something failed or differs.
  bool draw_way(Way& way, const Strategy& strategy) {
    std::optional<RunResult> result = draw_one(*way.setup, strategy);
    if (result && hides_behind_samples(*way.setup, *result)) result = draw_with_one_sample(way, strategy);
    if (!result) return false;
    comparison_.runs.push_back(std::move(*result));
    if (comparison_.runs.back().verdict != Verdict::different) return true;
    comparison_.verdict = Verdict::different;
    return false;
  }

  // lavapipe divides by the w of the pixel center where it should take that of the centroid or sample: with several
  // samples per pixel and varying w, the original's picture is off by percents. Only one sample tells the truth there.
  static bool hides_behind_samples(const Setup& setup, const RunResult& result) {
    return result.verdict == Verdict::different && setup.needs.samples != VK_SAMPLE_COUNT_1_BIT &&
           !result.affine.value_or(false);
  }

  std::optional<RunResult> draw_with_one_sample(Way& way, const Strategy& strategy) {
    if (!way.single) {
      Needs needs = way.setup->needs;
      needs.samples = VK_SAMPLE_COUNT_1_BIT;
      if (const Result<void> made = make_setup(needs, way.setup->note + " (one sample)", way.single); !made)
        failure_ = not_run(made.error().message);
      if (failure_) return std::nullopt;
    }
    return draw_one(*way.single, strategy);
  }

  // None if one side cannot be drawn; failure_ or comparison_ then says why.
  std::optional<RunResult> draw_one(Setup& setup, const Strategy& strategy) {
    Result<Frame> original = setup.renderer->draw(*setup.before, strategy);
    if (!original) {
      failure_ = not_run("the original cannot be drawn: " + original.error().message);
      return std::nullopt;
    }
    Result<Frame> linked = setup.renderer->draw(*setup.after, strategy);
    if (!linked) {
      comparison_.verdict = Verdict::different;
      comparison_.reason = "the original can be drawn, the linked pipeline cannot: " + linked.error().message;
      return std::nullopt;
    }
    RunResult result;
    result.strategy = strategy.name + setup.note;
    result.informative = is_informative(*original, setup.needs.fragment_uses_inputs);
    const bool different_bits = differs(*original, *linked);
    if (different_bits) note_unstable_parts(setup, strategy, *original, result);
    const bool matters = options_.level == link::Level::exact || setup.needs.samples != VK_SAMPLE_COUNT_1_BIT;
    if (options_.always_probe || (different_bits && matters))
      result.affine = probe_affine(gpu_, setup.needs, original_, strategy, options_.seed, setup.renderer->extent());
    RunResult first = result;
    const Tolerance tolerance = tolerance_for(options_.level, result.affine);
    compare_frames(*original, *linked, tolerance, setup.needs.original_has_discontinuities, {}, first);
    if (first.verdict == Verdict::different)
      compare_again(setup, strategy, *original, *linked, result);
    else
      result = std::move(first);
    write_pictures(*original, *linked, result);
    return result;
  }

  // Draws the original in other forms, to tell a wrong picture from one that rounding or the driver decides.
  void compare_again(Setup& setup, const Strategy& strategy, const Frame& original, const Frame& linked,
                     RunResult& result) {
    if (!result.affine)
      result.affine = probe_affine(gpu_, setup.needs, original_, strategy, options_.seed, setup.renderer->extent());
    const Tolerance tolerance = tolerance_for(options_.level, result.affine);
    OtherForms forms;
    const auto draw = [&](const auto& form) {
      std::vector<Shader> shaders = original_;
      for (Shader& shader : shaders) shader.words = form(shader);
      Pipelines pipelines(gpu_, setup.needs, shaders, setup.renderer->pipeline_target());
      Result<Frame> frame = setup.renderer->draw(pipelines, strategy);
      if (frame) forms.push_back(std::move(*frame));
    };
    draw(reshaped_form);
    if (std::any_of(original_.begin(), original_.end(), has_perspective_form)) {
      const std::size_t before = forms.size();
      draw([](const Shader& shader) { return has_perspective_form(shader) ? perspective_form(shader) : shader.words; });
      if (forms.size() > before) keep_finite(forms.back(), original);
    }
    for (const bool flip : {false, true})
      if (!tolerance.strict)
        draw([flip](const Shader& shader) {
          return shader.stage == Stage::fragment ? nudged_form(shader, flip) : shader.words;
        });
    compare_frames(original, linked, tolerance, setup.needs.original_has_discontinuities, forms, result);
  }

  // What the original does not repeat cannot be asked of the linked pipeline: races in what shaders write.
  static void note_unstable_parts(Setup& setup, const Strategy& strategy, const Frame& original, RunResult& result) {
    Result<Frame> again = setup.renderer->draw(*setup.before, strategy);
    if (again) result.nondeterministic = unstable_parts(original, *again);
  }

  void write_pictures(const Frame& original, const Frame& linked, const RunResult& result) {
    const bool wanted = comparison_.pictures.empty() || result.verdict != Verdict::identical;
    if (options_.png_folder.empty() || !wanted) return;
    const std::vector<std::string> files =
        write_picture_set(original, linked, options_.png_folder, options_.name + "-" + result.strategy);
    comparison_.pictures.insert(comparison_.pictures.end(), files.begin(), files.end());
  }

  void conclude() {
    if (comparison_.verdict == Verdict::different) {
      if (comparison_.reason.empty()) comparison_.reason = "run \"" + comparison_.runs.back().strategy + "\" differs";
      return;
    }
    bool informative = false, close = false;
    for (const RunResult& run : comparison_.runs) {
      informative |= run.informative;
      close |= run.verdict == Verdict::within_tolerance;
    }
    comparison_.verdict = !informative ? Verdict::not_covered : close ? Verdict::within_tolerance : Verdict::identical;
    if (!informative) comparison_.reason = "the original drew nothing, or only constants, in every run";
  }

  Gpu& gpu_;
  const VerifyOptions& options_;
  std::vector<Shader> original_, linked_;
  std::vector<Way> ways_;
  Comparison comparison_;
  std::optional<Comparison> failure_;
};

bool is_missing(const Gpu& gpu, spv::Capability capability) {
  return std::any_of(gpu.abilities.missing.begin(), gpu.abilities.missing.end(),
                     [&](const MissingFeature& feature) { return feature.capability == capability; });
}

Comparison compare_drawn(Gpu& gpu, const std::vector<link::StageInput>& original,
                         const std::vector<link::StageInput>& linked, const VerifyOptions& options) {
  const Result<bool> in_parts = stores_mesh_outputs_in_parts(original);
  if (!in_parts) return not_run("the original cannot be read: " + render(in_parts.error()));
  const bool with_whole_mesh_stores = gpu.abilities.loses_mesh_components && *in_parts;
  Result<std::vector<Shader>> before = reflect_all(original, with_whole_mesh_stores);
  if (!before) return not_run("the original cannot be read: " + render(before.error()));
  Result<std::vector<Shader>> after = reflect_all(linked, with_whole_mesh_stores);
  if (!after) return not_run("the linked pipeline cannot be read: " + render(after.error()));
  if (!same_stages(*before, *after)) return not_run("the two pipelines do not have the same stages");
  return Session(gpu, options, std::move(*before), std::move(*after)).run();
}

Comparison compare_unchecked(Gpu& gpu, const std::vector<link::StageInput>& original,
                             const std::vector<link::StageInput>& linked, const VerifyOptions& options) {
  if (!is_missing(gpu, spv::Capability::StorageInputOutput16)) return compare_drawn(gpu, original, linked, options);
  const Result<std::vector<link::StageInput>> before = with_wide_interfaces(original);
  if (!before) return not_run("the original cannot be read: " + render(before.error()));
  const Result<std::vector<link::StageInput>> after = with_wide_interfaces(linked);
  if (!after) return not_run("the linked pipeline cannot be read: " + render(after.error()));
  return compare_drawn(gpu, *before, *after, options);
}

std::string figures(const Comparison& comparison) {
  std::uint32_t pixels = 0, differing = 0, at_discontinuity = 0, unstable = 0, beyond = 0;
  double absolute = 0, relative = 0;
  for (const RunResult& run : comparison.runs) {
    pixels += run.pixels + run.added_pixels;
    differing += run.differing_pixels;
    at_discontinuity += run.at_discontinuity;
    unstable += run.unstable_pixels;
    beyond += run.beyond_tolerance;
    absolute = std::max(absolute, run.largest_absolute);
    relative = std::max(relative, run.largest_relative);
  }
  char text[256];
  std::snprintf(
      text, sizeof text,
      "%zu runs, %u pixels, %u differ (%.2f %%), %u beyond the tolerance, %u at discontinuities, %u unstable, largest "
      "difference %.3g absolute, %.3g relative",
      comparison.runs.size(), pixels, differing, pixels == 0 ? 0.0 : 100.0 * differing / pixels, beyond,
      at_discontinuity, unstable, absolute, relative);
  return text;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical: return "identical";
    case Verdict::within_tolerance: return "within tolerance";
    case Verdict::different: return "different";
    case Verdict::not_covered: return "not covered";
    default: return "not run";
  }
}

std::string Comparison::text() const {
  std::string line(name_of(verdict));
  if (!reason.empty()) line += ": " + reason;
  if (!runs.empty()) line += " (" + figures(*this) + ")";
  for (const RunResult& run : runs)
    for (const std::string& buffer : run.differing_buffers) line += "; " + run.strategy + ", " + buffer;
  for (const std::string& fact : not_drawn) line += "; not drawn: " + fact;
  return line;
}

Comparison compare(Device& device, const std::vector<link::StageInput>& original,
                   const std::vector<link::StageInput>& linked, const VerifyOptions& options) {
  Gpu& gpu = device.gpu();
  gpu.validation_messages.clear();
  Comparison result = compare_unchecked(gpu, original, linked, options);
  result.validation_messages = std::move(gpu.validation_messages);
  gpu.validation_messages.clear();
  return result;
}

}  // namespace varylink::verify
