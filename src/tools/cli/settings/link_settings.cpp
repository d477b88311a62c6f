#include "cli/settings/link_settings.h"

#include <charconv>
#include <cstdio>
#include <limits>
#include <system_error>

#include "cli/files/output_files.h"
#include "cli/settings/arguments.h"
#include "cli/settings/driver_measure.h"
#include "cli/settings/number_option.h"
#include "cli/settings/read_limits.h"
#include "cli/settings/usage.h"
#include "frontend/read_file.h"
#include "link/model/link_flags.h"
#include "passes/pass.h"
#include "platform/file_system.h"
#include "prepare/recipes.h"

namespace varylink::cli {
namespace {

// --share cluster without --max-variants.
constexpr std::size_t kUsualVariants = 2;

constexpr const char* kPassGroup = "Optimizing";
constexpr const char* kResultGroup = "Results";
constexpr const char* kBatchGroup = "Many pipelines";
constexpr const char* kVerifyGroup = "Proving";
constexpr const char* kDebugGroup = "Looking inside";

void declare_flag(CLI::App& app, LinkArguments& arguments, const char* option, const char* group) {
  const link::LinkFlag& flag = *link::find_link_flag(option);
  app.add_flag(flag.option, arguments.flags.*flag.member, flag.help)->group(group);
  if (flag.former_option != nullptr)  // without a group: no help, manual page or completion shows it
    app.add_flag(flag.former_option, arguments.flags.*flag.member, flag.help)->group("");
}

void declare_results(CLI::App& app, LinkArguments& arguments) {
  app.add_option("-o", arguments.outputs,
                 "folder for the results (a.vert gives DIR/a.vert.spv; with --manifest DIR/<name>/<stage>.spv), or the "
                 "file for one stage, - for standard output; without -o nothing is written")
      ->type_name("DIR|FILE.spv|STAGE=FILE")
      ->allow_extra_args(false)
      ->group(kResultGroup);
  app.add_option("--report", arguments.report, "write a report as JSON (docs/report.md)")
      ->type_name("FILE")
      ->group(kResultGroup);
  app.add_option("--report-lines", arguments.report_lines,
                 "write the report while pipelines are linked, each as a line of JSON, - for standard output")
      ->type_name("FILE")
      ->group(kResultGroup);
  app.add_option("--html", arguments.html, "write a report as one HTML page that needs nothing else")
      ->type_name("FILE")
      ->group(kResultGroup);
  app.add_option(
         "--dot", arguments.dot,
         "draw the values on both sides of the interfaces, what crosses and what moved, as a graph for Graphviz")
      ->type_name("FILE")
      ->group(kResultGroup);
  declare_profile(app, arguments, kResultGroup);
  app.add_flag("--timing", arguments.timing, "put times into the report")->group(kResultGroup);
  app.add_flag("--next-level", arguments.next_level,
               "link every pipeline at the next -O as well, write nothing of that, and say what it would win")
      ->group(kResultGroup);
  app.add_flag("--MD", arguments.depfile_beside_outputs,
               "(also -MD) write a dependency file beside every result: x.spv.d")
      ->group(kResultGroup);
  app.add_option("--depfile", arguments.depfile, "(also -MF) write one dependency file for make or ninja")
      ->type_name("FILE")
      ->group(kResultGroup);
  app.add_option("--depfile-target", arguments.depfile_target,
                 "(also -MT) name this as what depends on the files, instead of every result")
      ->type_name("NAME")
      ->group(kResultGroup);
  app.add_flag("--MP", arguments.depfile_empty_rules,
               "(also -MP) an empty rule for every file in dependency files, so that make goes on when one is gone")
      ->group(kResultGroup);
  declare_flag(app, arguments, "--strict", kResultGroup);
  app.add_flag("--werror", arguments.warnings_are_errors, "treat warnings as errors")->group(kResultGroup);
  app.add_flag("-q,--quiet", arguments.quiet, "print warnings and errors only")->group(kResultGroup);
  app.add_flag("-v,--verbose", arguments.verbose, "print remarks too")->group(kResultGroup);
  add_number(app, "-j", arguments.jobs, "pipelines of a manifest linked at the same time; 0: one per processor")
      ->type_name("N")
      ->capture_default_str()
      ->group(kResultGroup);
}

// Not of declare_optimizing: `varylink analyze` links with the options that it is given.
void declare_limits(CLI::App& app, LinkArguments& arguments) {
  app.add_option(
         "--limits", arguments.limits,
         "device limits as JSON, or a Vulkan profile (docs/check.md): link harder until each pipeline fits, and "
         "write none that does not (docs/cli.md)")
      ->type_name("FILE")
      ->group(kPassGroup);
}

void declare_max_fragment_cost(CLI::App& app, LinkArguments& arguments) {
  add_number(app, "--max-fragment-cost", arguments.max_fragment_cost,
             "what a fragment shader may cost by the profile, in percent of what it did: link less until it costs "
             "no more (docs/cli.md)",
             {{100.0, 1e6}})
      ->type_name("PERCENT")
      ->group(kPassGroup);
}

void declare_batch(CLI::App& app, LinkArguments& arguments) {
  app.add_option("--share", arguments.sharing,
                 "modules that several pipelines of a manifest use: specialize: a variant for each distinct result; "
                 "union: one module that suits all; cluster: at most --max-variants (docs/batch.md). Results are named "
                 "by their content")
      ->check(CLI::IsMember({"specialize", "union", "cluster"}))
      ->type_name("POLICY")
      ->group(kBatchGroup);
  add_number(app, "--max-variants", arguments.max_variants, "variants of a module with --share cluster", {{1, 1000000}})
      ->type_name("K")
      ->default_str(std::to_string(kUsualVariants))
      ->group(kBatchGroup);
  app.add_option(
         "--invariance-group", arguments.invariance_groups,
         "pipelines whose vertices have to land on the same places, such as a depth pre-pass and the pass behind "
         "it: their position code is kept the same, or a warning says why not; may be given several times")
      ->allow_extra_args(false)
      ->type_name("NAME,NAME...")
      ->group(kBatchGroup);
  app.add_option("--shard", arguments.shard,
                 "link part I of N of the manifest; `varylink merge-reports` puts the reports together")
      ->type_name("I/N")
      ->group(kBatchGroup);
  app.add_option("--cache", arguments.cache, "keep results in this folder and take them from there")
      ->type_name("DIR")
      ->group(kBatchGroup);
  add_number(
      app, "--cache-limit", arguments.cache_limit_mib,
      "after the run, remove what was not used for longest until the cache takes no more than this; 0 empties it",
      {{0, std::numeric_limits<std::uint64_t>::max() / store::kMib}})
      ->type_name("MIB")
      ->group(kBatchGroup);
  app.add_flag("--print-cache-key", arguments.print_cache_key,
               "print the key of each result in the cache, and do not link")
      ->group(kBatchGroup);
}

void declare_verifying(CLI::App& app, LinkArguments& arguments) {
  app.add_option(
         "--prove", arguments.proving,
         "show that every result equals the original for all inputs (docs/proof.md), and if that fails: report: "
         "say so; require: do not write it, exit status 5; fallback: link again with the next lower -O, at last "
         "pass the pipeline through")
      ->check(CLI::IsMember({"report", "require", "fallback"}))
      ->type_name("HOW")
      ->group(kVerifyGroup);
  app.add_flag(
         "--verify", arguments.verify,
         "draw every pipeline before and after on a Vulkan driver and compare (docs/verification.md); exit status "
         "6: different, 7: nothing proved, 8: no driver")
      ->group(kVerifyGroup);
  declare_pictures(app, arguments.pictures, kVerifyGroup);
  app.add_flag(
         "--measure", arguments.measure,
         "compile every pipeline before and after on a Vulkan driver and compare its statistics (docs/measure.md), in "
         "reports too; exit status 6: worse by more than --fail-above, 7: not measured, 8: no driver")
      ->group(kVerifyGroup);
  declare_fail_above(app, arguments.fail_above, kVerifyGroup);
}

void declare_debugging(CLI::App& app, LinkArguments& arguments) {
  app.add_option("--dump-after", arguments.dump_after, "print the stages after this pass, or after all of them")
      ->type_name("PASS|all")
      ->group(kDebugGroup);
  app.add_option("--dump-dir", arguments.dump_dir, "write the dumps as files into this folder instead of printing them")
      ->type_name("DIR")
      ->group(kDebugGroup);
  add_number(app, "--fuel", arguments.fuel, "stop after N rewrites, to find a bad one by bisection")
      ->type_name("N")
      ->group(kDebugGroup);
  declare_flag(app, arguments, "--validate-each-pass", kDebugGroup);
  app.add_option("--save-repro", arguments.save_repro,
                 "keep the stages as SPIR-V and the command line in this folder; with --manifest only those of "
                 "pipelines that failed")
      ->type_name("DIR")
      ->group(kDebugGroup);
}

Result<void> check_pass_name(const std::string& option, const std::string& name) {
  if (passes::find_pass(name) != nullptr) return {};
  return usage(option + ": there is no pass '" + name + "'; --help-passes lists them");
}

// Reports, cache keys and dumps call a pass by one name, however it was given.
std::string current_name(const std::string& name) {
  const passes::PassInfo* pass = passes::find_pass(name);
  return pass == nullptr ? name : std::string(pass->name);
}

Result<void> check_passes(const LinkArguments& arguments) {
  for (const std::string& name : arguments.passes)
    if (Result<void> known = check_pass_name("--passes", name); !known) return known;
  if (arguments.dump_after.empty() || arguments.dump_after == "all") return {};
  return check_pass_name("--dump-after", arguments.dump_after);
}

// A built-in profile by its name, any other by its file.
Result<analysis::CostProfile> read_profile(const std::string& name) {
  if (const analysis::CostProfile* profile = analysis::find_profile(name)) return *profile;
  if (!name.ends_with(".json")) {
    std::string known;
    for (const analysis::CostProfile& profile : analysis::built_in_profiles())
      known += (known.empty() ? "" : ", ") + profile.name;
    return usage("--profile: there is no profile '" + name + "'; there are " + known + ", and files called *.json");
  }
  const Result<std::string> text = frontend::read_file(name);
  if (!text) return text.error();
  return analysis::parse_profile(*text, name);
}

// "2/3" -> part 1 of 3; none if it is not that.
std::optional<Shard> shard_of(const std::string& text) {
  Shard shard;
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [slash, bad_index] = std::from_chars(text.data(), end, number);
  if (bad_index != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.count);
  if (bad_count != std::errc() || rest != end || number < 1 || number > shard.count) return std::nullopt;
  shard.index = number - 1;
  return shard;
}

Result<void> add_sharing(const LinkArguments& arguments, LinkSettings& settings) {
  if (arguments.sharing != "cluster" && arguments.max_variants) return usage("--max-variants needs --share cluster");
  if (arguments.sharing.empty()) return {};
  if (settings.manifest.empty()) return usage("--share needs --manifest: one pipeline shares nothing");
  if (arguments.depfile_beside_outputs)
    return usage("-MD and --share exclude each other: a shared result belongs to several pipelines; use --depfile");
  if (!arguments.dump_after.empty()) return usage("--dump-after and --share exclude each other");
  if (arguments.sharing == "cluster" && arguments.print_cache_key)
    return usage("--print-cache-key and --share cluster exclude each other: linking decides what the clusters are");
  settings.sharing = arguments.sharing == "specialize" ? Sharing::specialize
                     : arguments.sharing == "union"    ? Sharing::together
                                                       : Sharing::cluster;
  settings.max_variants = arguments.max_variants.value_or(kUsualVariants);
  settings.output.by_content = true;
  return {};
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Result<void> add_invariance_groups(const LinkArguments& arguments, LinkSettings& settings) {
  if (arguments.invariance_groups.empty()) return {};
  if (settings.manifest.empty()) return usage("--invariance-group needs --manifest: it names pipelines of it");
  if (!arguments.dump_after.empty()) return usage("--dump-after and --invariance-group exclude each other");
  if (arguments.print_cache_key)
    return usage("--print-cache-key and --invariance-group exclude each other: linking decides what is passed through");
  for (const std::string& text : arguments.invariance_groups) {
    settings.invariance_groups.push_back(split_at_commas(text));
    if (settings.invariance_groups.back().size() < 2)
      return usage("--invariance-group needs the names of two or more pipelines: '" + text + "'");
  }
  return {};
}

Result<void> check_folders(const LinkArguments& arguments) {
  for (const auto& [option, folder] :
       {std::pair("--dump-dir", &arguments.dump_dir), std::pair("--save-repro", &arguments.save_repro),
        std::pair("--png", &arguments.pictures.png_folder), std::pair("--cache", &arguments.cache)}) {
    if (*folder == kStandardOutput) return usage(std::string(option) + " needs a folder, and - is standard output");
    if (platform::kind_of(*folder) != platform::FileKind::none && !platform::is_folder(*folder))
      return usage(std::string(option) + " needs a folder, and '" + *folder + "' is none");
  }
  return {};
}

// Standard output holds one result.
Result<void> check_standard_output(const LinkArguments& arguments) {
  const std::vector<std::string> options = arguments.options_with_standard_output();
  if (options.size() > 1)
    return usage("standard output holds one result: " + options[0] + " and " + options[1] + " exclude each other");
  if (options.empty()) return {};
  if (!arguments.dump_after.empty() && arguments.dump_dir.empty())
    return usage("--dump-after prints to standard output, which " + options[0] + " - takes: use --dump-dir");
  if (options[0] != "-o") return {};
  if (arguments.depfile_beside_outputs) return usage("-MD has no place beside standard output: use -MF FILE -MT NAME");
  if (!arguments.depfile.empty() && arguments.depfile_target.empty())
    return usage("-MF needs -MT NAME if the result goes to standard output");
  return {};
}

// The files that options name. What the manifest and the shaders name comes later.
void add_inputs(const LinkArguments& arguments, LinkSettings& settings) {
  for (const std::string* file : {&arguments.inputs.manifest, &arguments.inputs.pipeline_state,
                                  &arguments.inputs.features, &arguments.layout, &arguments.profile, &arguments.limits})
    settings.inputs.add(*file);
  for (const std::string& file : response_files()) settings.inputs.add(file);
}

Result<void> add_batch_settings(const LinkArguments& arguments, LinkSettings& settings) {
  if (const Result<void> added = add_sharing(arguments, settings); !added) return added;
  if (const Result<void> added = add_invariance_groups(arguments, settings); !added) return added;
  if (!arguments.shard.empty()) {
    const std::optional<Shard> shard = shard_of(arguments.shard);
    if (!shard || settings.manifest.empty())
      return usage("--shard needs --manifest and a value such as 1/4: '" + arguments.shard + "'");
    settings.shard = *shard;
  }
  if (!arguments.depfile_target.empty() && arguments.depfile.empty()) return usage("--depfile-target needs --depfile");
  if (arguments.depfile_empty_rules && arguments.depfile.empty() && !arguments.depfile_beside_outputs)
    return usage("-MP needs -MD or -MF");
  if (arguments.cache_limit_mib && arguments.cache.empty()) return usage("--cache-limit needs --cache");
  if (!arguments.cache.empty()) settings.cache.emplace(arguments.cache);
  return {};
}

Proving proving_of(const std::string& how) {
  if (how == "report") return Proving::report;
  if (how == "require") return Proving::require;
  return how == "fallback" ? Proving::fallback : Proving::none;
}

// What a result has to be, for which a pipeline is linked with other options if need be.
Result<void> add_goals(const LinkArguments& arguments, LinkSettings& settings) {
  settings.proving = proving_of(arguments.proving);
  settings.max_fragment_cost = arguments.max_fragment_cost;
  if (!arguments.limits.empty()) {
    Result<check::Limits> limits = read_limits(arguments.limits);
    if (!limits) return limits.error();
    settings.limits = *limits;
  }
  return {};
}

}  // namespace

void declare_optimizing(CLI::App& app, LinkArguments& arguments) {
  add_number(app, "-O", arguments.level,
             "0: check and pass through; 1: only changes that keep every value exactly; 2: also move linear "
             "arithmetic across interpolation; 3: also where its rounding decides a comparison, floor or a texel "
             "address, as drivers do",
             {{0, 3}})
      ->type_name("LEVEL")
      ->take_last()
      ->capture_default_str()
      ->group(kPassGroup);
  app.add_option("--passes", arguments.passes, "run these passes, in this order, instead of those of the level")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B,...")
      ->group(kPassGroup);
  app.add_flag("--help-passes", arguments.help_passes, "list the passes, and the steps around them")->group(kPassGroup);
  for (const char* flag : {"--strip-unused-resources", "--strip-unused-attributes", "--keep-spec-ids",
                           "--pack-beside-arrays", "--portable", "--allow-discontinuous", "--no-costlier-stage"})
    declare_flag(app, arguments, flag, kPassGroup);
  app.add_option("--layout", arguments.layout,
                 "what the pipeline layout gives to which stage, so that uniform expressions can move into stages that "
                 "do not read the resource yet (docs/cli.md)")
      ->type_name("FILE.json")
      ->group(kPassGroup);
}

void declare_profile(CLI::App& app, LinkArguments& arguments, const char* group) {
  app.add_option("--profile", arguments.profile,
                 "GPU for which code is weighed against varyings, and for which the report measures the stages: "
                 "generic, tiler, "
                 "immediate, scalar-inorder, or a JSON file (docs/cost-profiles.md)")
      ->type_name("NAME|FILE.json")
      ->take_last()
      ->capture_default_str()
      ->group(group);
}

void declare_link(CLI::App& app, LinkArguments& arguments) {
  declare_inputs(app, arguments.inputs);
  declare_results(app, arguments);
  declare_optimizing(app, arguments);
  declare_limits(app, arguments);
  declare_max_fragment_cost(app, arguments);
  declare_batch(app, arguments);
  declare_verifying(app, arguments);
  declare_debugging(app, arguments);
}

void print_passes() {
  for (const passes::PassInfo& pass : passes::registry())
    std::printf("%-30s -O%d  %s\n", std::string(pass.name).c_str(), static_cast<int>(pass.level),
                std::string(pass.summary).c_str());
  std::printf("\nSteps, in this order, that prepare stages and clean them up:\n\n%s", prepare::recipes_text().c_str());
}

std::vector<std::pair<std::string, std::string>> LinkArguments::reports() const {
  std::vector<std::pair<std::string, std::string>> given;
  for (const auto& [option, file] :
       {std::pair("--report", &report), std::pair("--report-lines", &report_lines), std::pair("--html", &html),
        std::pair("--dot", &dot), std::pair("--depfile", &depfile)})
    if (!file->empty()) given.emplace_back(option, *file);
  return given;
}

std::vector<std::string> LinkArguments::options_with_standard_output() const {
  std::vector<std::string> options;
  for (const std::string& output : outputs)
    if (split_stage(output).second == kStandardOutput) options.emplace_back("-o");
  for (const auto& [option, file] : reports())
    if (file == kStandardOutput) options.push_back(option);
  return options;
}

std::optional<link::LinkOptions> at_next_level(const link::LinkOptions& options) {
  if (options.level == link::Level::discontinuous || !options.passes.empty()) return std::nullopt;
  link::LinkOptions next = options;
  next.level = static_cast<link::Level>(static_cast<int>(options.level) + 1);
  return next;
}

Result<LinkSettings> settings_of(const LinkArguments& arguments) {
  LinkSettings settings;
  settings.manifest = arguments.inputs.manifest;
  Result<frontend::CompileOptions> compile = compile_options_of(arguments.inputs);
  if (!compile) return compile.error();
  settings.compile = std::move(*compile);
  Result<OutputPlan> plan = output_plan_of(arguments.outputs, !settings.manifest.empty());
  if (!plan) return plan.error();
  settings.output = std::move(*plan);
  if (const Result<void> possible = check_folders(arguments); !possible) return possible.error();
  if (const Result<void> possible = check_standard_output(arguments); !possible) return possible.error();
  if (arguments.fail_above && !arguments.measure) return usage("--fail-above needs --measure");
  add_inputs(arguments, settings);
  if (!arguments.dump_dir.empty() && arguments.dump_after.empty()) return usage("--dump-dir needs --dump-after");
  if (!settings.manifest.empty() && !arguments.dump_after.empty() && arguments.dump_dir.empty())
    return usage("--dump-after with --manifest needs --dump-dir");
  if (const Result<void> known = check_passes(arguments); !known) return known.error();

  // Measuring takes time, so it is done only if somebody will see it.
  Result<analysis::CostProfile> profile = read_profile(arguments.profile);
  if (!profile) return profile.error();
  settings.options.profile = std::move(*profile);
  settings.measures_stages = !arguments.report.empty() || !arguments.html.empty() || arguments.verbose;

  settings.lists_unused = !arguments.report.empty() || !arguments.html.empty();

  settings.options.level = static_cast<link::Level>(arguments.level);
  settings.options.validator = validator_options_of(arguments.inputs);
  for (const std::string& name : arguments.passes) settings.options.passes.push_back(current_name(name));
  settings.options.fuel = arguments.fuel;
  for (const link::LinkFlag& flag : link::link_flags()) settings.options.*flag.member = arguments.flags.*flag.member;
  Result<std::optional<link::PipelineLayout>> layout = read_layout(arguments.layout);
  if (!layout) return layout.error();
  settings.options.layout = std::move(*layout);
  if (const Result<void> added = add_batch_settings(arguments, settings); !added) return added.error();
  settings.dump_after = arguments.dump_after == "all" ? arguments.dump_after : current_name(arguments.dump_after);
  settings.dump_dir = arguments.dump_dir;
  settings.save_repro = arguments.save_repro;
  settings.depfile_beside_outputs = arguments.depfile_beside_outputs;
  settings.depfile_empty_rules = arguments.depfile_empty_rules;
  settings.timing = arguments.timing;
  settings.asks_next_level = arguments.next_level;
  if (const Result<void> added = add_goals(arguments, settings); !added) return added.error();
  settings.keep_stages = arguments.verify || arguments.measure;
  settings.warnings_are_errors = arguments.warnings_are_errors;
  return settings;
}

}  // namespace varylink::cli
