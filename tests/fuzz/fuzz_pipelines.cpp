// Generates pipelines, links them, checks the results and compares the pictures. See --help.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <set>

#include "analysis/cost_profile.h"
#include "fuzz/case_text.h"
#include "fuzz/clean_blocks.h"
#include "fuzz/generator.h"
#include "fuzz/job_pool.h"
#include "fuzz/reduce.h"
#include "fuzz/spirv_templates.h"
#include "link/model/link_flags.h"

namespace {

using namespace varylink;
using namespace varylink::fuzz;

struct Arguments {
  std::string seeds = "1..100";
  std::vector<std::string> weights;
  std::string stages;
  PoolOptions pool;
  CheckOptions check;
  double reduce_limit_s = 60;
  unsigned reduce_count = 3;
  double max_uncovered = 0.05;
  std::uint64_t thorough_every = 1;
  std::uint64_t draw_proved_every = 1;
  std::string clean;
  std::string profile;  // empty: that of CheckOptions::link
  bool no_verify = false;
  bool print = false;
  bool quiet = false;
};

bool parse_seeds(const std::string& text, PoolOptions& pool) {
  const std::size_t dots = text.find("..");
  try {
    pool.first = std::stoull(text);
    pool.last = dots == std::string::npos ? pool.first : std::stoull(text.substr(dots + 2));
  } catch (const std::exception&) {
    return false;
  }
  return pool.first <= pool.last;
}

// "vert+frag" and the like are weights in disguise.
bool apply_stages(const std::string& stages, Features& features) {
  if (stages.empty()) return true;
  if (stages == "all") {
    for (const char* name : {"tessellation", "geometry"}) features.set_weight(name, 0.5);
    features.set_weight("mesh", 0.1);
    return true;
  }
  const bool mesh = stages.find("mesh") != std::string::npos;
  features.set_weight("mesh", mesh ? 1 : 0);
  if (mesh) features.set_weight("templates", 0);
  if (mesh) features.set_weight("task", stages.find("task") != std::string::npos ? 1 : 0);
  const bool tessellation = stages.find("tesc") != std::string::npos;
  const bool geometry = stages.find("geom") != std::string::npos;
  features.set_weight("tessellation", tessellation ? 1 : 0);
  features.set_weight("geometry", geometry ? 1 : 0);
  return mesh || stages.rfind("vert", 0) == 0;
}

bool apply_weights(const Arguments& arguments, Features& features) {
  if (!apply_stages(arguments.stages, features)) return false;
  for (const std::string& weight : arguments.weights) {
    const std::size_t equals = weight.find('=');
    if (equals == std::string::npos) return false;
    if (!features.set_weight(weight.substr(0, equals), std::atof(weight.c_str() + equals + 1))) return false;
  }
  return true;
}

// Decides what the pipelines of seeds are, and what linking makes of them.
std::string options_text(const Arguments& arguments) {
  std::string text = "--stages " + arguments.stages;
  for (const std::string& weight : arguments.weights) text += " --weight " + weight;
  for (const link::LinkFlag& flag : link::link_flags())
    if (arguments.check.link.*flag.member) text += std::string(" ") + flag.option;
  return arguments.profile.empty() ? text : text + " --profile " + arguments.profile;
}

// Every seed is either a template pipeline or one of the GLSL generator; which one does not touch the generator's own
// random numbers, so that a seed gives the same pipeline with other weights for "templates".
bool is_template(std::uint64_t seed, Features& features) {
  Random random(seed ^ 0x7465'6d70'6c61'7465ull);
  return features.would(random, "templates");
}

Candidate candidate_of_seed(std::uint64_t seed, Features& features) {
  return is_template(seed, features) ? candidate_of(plan_templates(seed)) : candidate_of(generate(seed, features));
}

// Runs the check in a child process, so that a crash is a result.
Failure check_apart(const Candidate& candidate, const CheckOptions& options) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    Coverage coverage;
    ::_exit(static_cast<int>(check(candidate, options, nullptr, coverage).failure));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? Failure::hang : Failure::crash;
  return static_cast<Failure>(WEXITSTATUS(status));
}

// Whether candidates fail as the given seed did. `last` receives the result of the last one that does.
class SameFailure {
 public:
  SameFailure(const CheckOptions& options, const CheckResult& wanted, Oracle* oracle)
      : last(wanted), options_(options), oracle_(oracle) {}

  CheckResult last;

  bool operator()(const Candidate& candidate) {
    // What the linker does to a smaller pipeline is tried apart, since it may crash where the whole one did not.
    const Failure linked = check_apart(candidate, options_);
    const bool about_pictures = last.failure == Failure::different || last.failure == Failure::not_identical ||
                                last.failure == Failure::proved_wrongly;
    if (!about_pictures) return linked == last.failure;
    if (linked != Failure::none) return false;
    Coverage coverage;
    const CheckResult result = check(candidate, options_, oracle_, coverage);
    const bool same = result.failure == last.failure && result.level == last.level;
    if (same) last = result;
    return same;
  }

 private:
  CheckOptions options_;
  Oracle* oracle_;
};

void report_reduced(const Arguments& arguments, Features& features, const SeedResult& failed, Oracle* oracle) {
  SameFailure same(arguments.check, failed.result, oracle);
  if (is_template(failed.seed, features)) {
    const TemplatePlan plan =
        reduce(plan_templates(failed.seed), [&](const TemplatePlan& p) { return same(candidate_of(p)); });
    std::cout << case_text(candidate_of(plan), same.last) << std::flush;
    return;
  }
  PipelineModel model = generate(failed.seed, features);
  const std::size_t before = size_of(model);
  const auto limit = std::chrono::duration<double>(arguments.reduce_limit_s);
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
  const PipelineModel reduced = reduce(
      model, [&](const PipelineModel& m) { return same(candidate_of(m)); }, deadline);
  std::cout << "seed " << failed.seed << ": reduced from " << before << " to " << size_of(reduced) << "\n"
            << case_text(candidate_of(reduced), same.last) << std::flush;
}

void print_summary(const Arguments& arguments, const PoolSummary& summary) {
  if (!arguments.quiet) std::cout << summary.coverage.table();
  for (const SeedResult& failure : summary.failures) {
    std::cout << "seed " << failure.seed << ": " << name_of(failure.result.failure) << " " << failure.result.level
              << ": " << failure.result.detail << "\n";
  }
  const auto verdicts = [&](const std::string& verdict) {
    return summary.coverage.value("verdict", "-O1 " + verdict) + summary.coverage.value("verdict", "-O2 " + verdict) +
           summary.coverage.value("verdict", "-O3 " + verdict);
  };
  std::cout << summary.done << " pipelines in " << summary.seconds << " s ("
            << static_cast<double>(summary.done) / summary.seconds << "/s), " << summary.failures.size() << " failed\n";
  const auto proofs = [&](const std::string& verdict) {
    return std::to_string(summary.coverage.value("proof", "-O1 " + verdict)) + "/" +
           std::to_string(summary.coverage.value("proof", "-O2 " + verdict)) + "/" +
           std::to_string(summary.coverage.value("proof", "-O3 " + verdict)) + " " + verdict;
  };
  if (arguments.check.prove)
    std::cout << "proofs at -O1/-O2/-O3: " << proofs("proved") << ", " << proofs("not proved") << ", "
              << proofs("refuted") << "\n";
  if (!summary.no_oracle.empty()) {
    std::cout << "no pictures: " << summary.no_oracle << "\n";
    return;
  }
  std::cout << "pictures: " << verdicts("identical") << " identical, " << verdicts("within tolerance")
            << " within tolerance, " << verdicts("different") << " different, " << verdicts("not covered")
            << " not covered\n";
  for (const auto& [verdict, times] : summary.coverage.group("verdict"))
    if (verdict.find(" not run: ") != std::string::npos) std::cout << "skipped: " << times << " " << verdict << "\n";
}

// Share of compared pairs whose original drew nothing or a constant.
double uncovered_share(const PoolSummary& summary) {
  double all = 0, uncovered = 0;
  for (const std::string level : {"-O1 ", "-O2 ", "-O3 "}) {
    for (const std::string verdict : {"identical", "within tolerance", "different", "not covered"}) {
      const auto count = static_cast<double>(summary.coverage.value("verdict", level + verdict));
      all += count;
      if (verdict == "not covered") uncovered += count;
    }
  }
  return all > 0 ? uncovered / all : 0;
}

// The share is a property of all the seeds asked for. Of a run that its time limit cut short, it says how fast the
// machine is, so that it is told and not judged.
bool covers_enough(const Arguments& arguments, const PoolSummary& summary) {
  const double uncovered = uncovered_share(summary);
  if (uncovered <= arguments.max_uncovered) return true;
  const bool all_done = summary.done == arguments.pool.last - arguments.pool.first + 1;
  std::cout << "not covered: " << uncovered * 100 << " %, at most " << arguments.max_uncovered * 100 << " % is accepted"
            << (all_done ? "\n" : "; not judged, since the time limit left seeds undone\n");
  return !all_done;
}

PoolSummary check_seeds(const Arguments& arguments, Features& features, const PoolOptions& pool) {
  return run_seeds(pool, [&](std::uint64_t seed, Oracle* oracle, Coverage& coverage) {
    CheckOptions options = arguments.check;
    if (options.runs == 1) options.turn = static_cast<std::uint32_t>(seed % 4);
    options.thorough = seed % arguments.thorough_every == 0;
    options.draw_proved = seed % arguments.draw_proved_every == 0;
    return check(candidate_of_seed(seed, features), options, oracle, coverage);
  });
}

void add(PoolSummary summary, PoolSummary& sum) {
  sum.done += summary.done;
  sum.seconds += summary.seconds;
  sum.no_oracle += summary.no_oracle;
  sum.coverage.merge(summary.coverage);
  sum.failures.insert(sum.failures.end(), summary.failures.begin(), summary.failures.end());
}

// Only links, which tells whether the words of a block are those of a clean run.
PoolSummary link_seeds(Arguments arguments, Features& features, PoolOptions seeds) {
  seeds.draw = false;
  arguments.check.prove = false;
  arguments.thorough_every = seeds.last + 1;
  return check_seeds(arguments, features, seeds);
}

// The blocks of these seeds that have the words of a clean run, by their first seed.
std::set<std::uint64_t> known_blocks(const Arguments& arguments, Features& features, const PoolOptions& seeds,
                                     const CleanBlocks& clean) {
  std::set<std::uint64_t> known;
  for (std::uint64_t first = seeds.first; first < seeds.last; first += kBlockSize)
    if (clean.words_of(first)) known.insert(first);
  if (known.empty()) return known;
  const PoolSummary linked = link_seeds(arguments, features, seeds);
  std::erase_if(known, [&](std::uint64_t first) {
    return words_of_block(first, linked, options_text(arguments)) != clean.words_of(first);
  });
  return known;
}

// Checks all blocks of these seeds and adds those that ran clean. Error: io.
Result<void> check_and_add(const Arguments& arguments, Features& features, const PoolOptions& seeds, CleanBlocks& clean,
                           PoolSummary& summary) {
  PoolSummary now = check_seeds(arguments, features, seeds);
  for (std::uint64_t first = seeds.first; first < seeds.last && now.no_oracle.empty(); first += kBlockSize)
    if (const auto words = words_of_block(first, now, options_text(arguments)))
      if (const Result<void> added = clean.add(first, *words); !added) return added.error();
  add(std::move(now), summary);
  return {};
}

// Blocks that one pool of processes gets: a process starts slowly, and who is stopped loses what one pool has done.
constexpr std::uint64_t kBlocksAtOnce = 10;

// Error: seeds that are no whole blocks, or a file that cannot be read or written.
Result<void> check_blocks(const Arguments& arguments, Features& features, PoolSummary& summary) {
  Result<CleanBlocks> clean = CleanBlocks::read(arguments.clean);
  if (!clean) return clean.error();
  const PoolOptions& all = arguments.pool;
  if (all.first % kBlockSize != 1 || all.last % kBlockSize != 0)
    return make_error(ErrorKind::usage, {}, "with --clean, seeds are whole hundreds, such as 1..200");
  std::uint64_t known_seeds = 0;
  PoolOptions some = all;
  for (; some.first < all.last && summary.failures.empty(); some.first = some.last + 1) {
    some.last = std::min(all.last, some.first + kBlocksAtOnce * kBlockSize - 1);
    const std::set<std::uint64_t> known = known_blocks(arguments, features, some, *clean);
    known_seeds += known.size() * kBlockSize;
    PoolOptions run = some;
    for (; run.first < some.last; run.first = run.last + 1) {
      run.last = run.first + kBlockSize - 1;
      if (known.contains(run.first)) continue;
      while (run.last < some.last && !known.contains(run.last + 1)) run.last += kBlockSize;
      if (const Result<void> done = check_and_add(arguments, features, run, *clean, summary); !done) return done;
    }
    std::cout << "seeds to " << some.last << ": " << known_seeds << " with the words of a clean run, " << summary.done
              << " drawn\n"
              << std::flush;
  }
  std::cout << known_seeds << " seeds have the words of a clean run\n";
  return {};
}

int run(Arguments& arguments) {
  Features features;
  if (!parse_seeds(arguments.seeds, arguments.pool) || !apply_weights(arguments, features)) {
    std::cerr << "fuzz_pipelines: cannot understand --seeds, --stages or --weight\n";
    return 1;
  }
  if (arguments.print) {
    for (std::uint64_t seed = arguments.pool.first; seed <= arguments.pool.last; ++seed) {
      std::cout << case_text(candidate_of_seed(seed, features), {});
    }
    return 0;
  }
  arguments.pool.draw = arguments.check.draw = !arguments.no_verify;
  PoolSummary summary;
  if (arguments.clean.empty())
    summary = check_seeds(arguments, features, arguments.pool);
  else if (const Result<void> done = check_blocks(arguments, features, summary); !done)
    return std::cerr << render(done.error()) << "\n", 1;
  if (!summary.failures.empty() && arguments.reduce_count > 0) {
    std::string reason;
    const std::unique_ptr<Oracle> oracle = arguments.no_verify ? nullptr : Oracle::start(reason);
    const std::size_t count = std::min<std::size_t>(arguments.reduce_count, summary.failures.size());
    for (std::size_t i = 0; i < count; ++i) report_reduced(arguments, features, summary.failures[i], oracle.get());
  }
  if (summary.done == 0) return 0;  // all of them have the words of a clean run
  print_summary(arguments, summary);
  const bool covers = covers_enough(arguments, summary);
  return covers && summary.failures.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (Oracle::serve_parent(argc, argv)) return 0;
  Arguments arguments;
  arguments.pool.jobs = 2;
  CLI::App app{"Links random pipelines and proves that they draw the same"};
  app.add_option("--seeds", arguments.seeds, "seeds, A..B with both ends, or one seed");
  app.add_option("--stages", arguments.stages,
                 "vert+frag, vert+tesc+tese+frag, vert+geom+frag, mesh+frag, task+mesh+frag, ..., or all");
  app.add_option("--weight", arguments.weights,
                 "probability of a feature, such as dynamic-index=0.3; see --list-features");
  app.add_option("--jobs", arguments.pool.jobs, "processes");
  app.add_option("--time-limit", arguments.pool.time_limit_s, "seconds after which no new seed is started");
  app.add_option("--seed-limit", arguments.pool.seed_limit_s, "seconds after which a seed counts as hanging");
  app.add_option("--runs", arguments.check.runs,
                 "pictures per pipeline and level; with 1, seeds take turns at the kinds of pictures");
  app.add_option("--max-failures", arguments.pool.max_failures, "stop after that many failures");
  app.add_option("--reduce", arguments.reduce_count, "failures to reduce to small cases");
  app.add_option("--reduce-limit", arguments.reduce_limit_s, "seconds per reduction");
  app.add_option("--max-uncovered", arguments.max_uncovered, "share of pictures that may be blank or constant");
  app.add_option("--thorough-every", arguments.thorough_every,
                 "link only one of so many seeds twice and once again: half of the time")
      ->check(CLI::PositiveNumber);
  app.add_option("--draw-proved-every", arguments.draw_proved_every,
                 "of one seed in so many draw what is proved as well, of the others what is not proved")
      ->check(CLI::PositiveNumber);
  app.add_option("--clean", arguments.clean,
                 "file of seeds that ran clean: linked only, if their words are the same; adds those that do now");
  app.add_flag("--no-verify", arguments.no_verify, "draw nothing");
  app.add_flag("!--no-prove", arguments.check.prove, "prove nothing");
  app.add_option("--proof-budget", arguments.check.proof_budget, "steps of a proof");
  for (const link::LinkFlag& flag : link::link_flags())
    if (flag.decides_results) app.add_flag(flag.option, arguments.check.link.*flag.member, flag.help);
  app.add_option("--profile", arguments.profile, "cost profile that decides trades, a built-in one")
      ->check([&arguments](const std::string& name) {
        const analysis::CostProfile* profile = analysis::find_profile(name);
        if (profile != nullptr) arguments.check.link.profile = *profile;
        return profile != nullptr ? std::string() : "there is no cost profile '" + name + "'";
      });
  app.add_flag("--print", arguments.print, "print the pipelines of the seeds and do nothing else");
  app.add_flag("--quiet", arguments.quiet, "no coverage table");
  bool list = false;
  app.add_flag("--list-features", list, "print the features with their weights");
  CLI11_PARSE(app, argc, argv);
  if (!list) return run(arguments);
  for (const FeatureInfo& feature : feature_table()) {
    std::cout << feature.name << "=" << feature.weight << "\t" << feature.help << "\n";
  }
  return 0;
}
