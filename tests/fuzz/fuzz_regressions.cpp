// Runs every input of FOLDER/<target>/ through its target, and mutations of generated modules through the module and
// pair targets. An input that used to crash stays here as a file.
//
// usage: fuzz_regressions FOLDER [MUTATIONS]
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "fuzz/candidate.h"
#include "fuzz/generator.h"
#include "fuzz/mutate_words.h"
#include "fuzz/sound_mutations.h"
#include "fuzz/spirv_templates.h"
#include "fuzz/targets.h"

namespace {

using namespace varylink;
using namespace varylink::fuzz;

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

int run_files(const std::filesystem::path& folder) {
  int count = 0;
  for (const Target& target : targets()) {
    for (const auto& path : files_in(folder / target.name)) {
      std::ifstream file(path, std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      std::cout << path.filename().string() << std::endl;
      target.run(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++count;
    }
  }
  return count;
}

Candidate small_candidate(std::uint64_t seed) {
  Features features;
  for (const char* name : {"tessellation", "geometry"}) features.set_weight(name, 0);
  return seed % 2 ? candidate_of(plan_templates(seed)) : candidate_of(generate(seed, features));
}

// How many mutants there were, and how many of them were linked or passed through unchecked; by the kinds of changes.
struct Count {
  int mutants = 0, linked = 0, unchecked = 0;
};
using Counts = std::map<std::string, Count>;

void add(Count& count, Outcome outcome) {
  ++count.mutants;
  count.linked += outcome == Outcome::linked;
  count.unchecked += outcome == Outcome::passed_unchecked;
}

// Of five mutants four have changes that mostly leave them valid, and one has any.
void run_mutated_pair(std::uint64_t seed, Counts& counts) {
  const auto stages = compile(small_candidate(seed));
  if (!stages || stages->size() != 2) return;
  Random random(seed);
  std::vector<std::uint32_t> first = (*stages)[0].words, second = (*stages)[1].words;
  const bool soundly = random.chance(0.8);
  const int edits = random.range(1, 4);
  std::set<std::string> kinds;
  for (int i = 0; i < edits; ++i) {
    std::vector<std::uint32_t>& words = random.chance(0.5) ? first : second;
    if (!soundly) mutate_words(words, random);
    const std::string_view kind = soundly ? mutate_soundly(words, random) : "words, ids and order at random";
    if (!kind.empty()) kinds.emplace(kind);
  }
  if (kinds.empty()) return;
  const Outcome outcome = link_pair(first, second);
  run_module(reinterpret_cast<const std::uint8_t*>(first.data()), first.size() * 4);
  for (const std::string& kind : kinds) add(counts[kind], outcome);
  add(counts["all"], outcome);
}

// False if fewer than half of the mutants were linked: the others test no more than the checks in front of the linker.
bool report(const Counts& counts) {
  for (const auto& [kind, count] : counts)
    std::cout << "mutants, " << kind << ": " << count.mutants << ", linked " << count.linked << ", unchecked "
              << count.unchecked << "\n";
  const auto all = counts.find("all");
  return all == counts.end() || 2 * all->second.linked >= all->second.mutants;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fuzz_regressions FOLDER [MUTATIONS]\n";
    return 1;
  }
  const int files = run_files(argv[1]);
  const int mutations = argc > 2 ? std::atoi(argv[2]) : 0;
  Counts counts;
  for (int seed = 0; seed < mutations; ++seed) {
    if (argc > 3) std::cout << "mutation " << seed << std::endl;
    run_mutated_pair(static_cast<std::uint64_t>(seed), counts);
  }
  std::cout << files << " files and " << mutations << " mutated pairs\n";
  return report(counts) ? 0 : 1;
}
