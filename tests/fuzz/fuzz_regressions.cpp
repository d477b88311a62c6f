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

#include "fuzz/candidate.h"
#include "fuzz/generator.h"
#include "fuzz/mutate_words.h"
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

void run_mutated_pair(std::uint64_t seed) {
  const auto stages = compile(small_candidate(seed));
  if (!stages || stages->size() != 2) return;
  Random random(seed);
  std::vector<std::uint32_t> first = (*stages)[0].words, second = (*stages)[1].words;
  const int edits = random.range(1, 4);
  for (int i = 0; i < edits; ++i) mutate_words(random.chance(0.5) ? first : second, random);
  std::vector<std::uint32_t> all = {static_cast<std::uint32_t>(first.size())};
  all.insert(all.end(), first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  run_pair(reinterpret_cast<const std::uint8_t*>(all.data()), all.size() * 4);
  run_module(reinterpret_cast<const std::uint8_t*>(first.data()), first.size() * 4);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fuzz_regressions FOLDER [MUTATIONS]\n";
    return 1;
  }
  const int files = run_files(argv[1]);
  const int mutations = argc > 2 ? std::atoi(argv[2]) : 0;
  for (int seed = 0; seed < mutations; ++seed) {
    if (argc > 3) std::cout << "mutation " << seed << std::endl;
    run_mutated_pair(static_cast<std::uint64_t>(seed));
  }
  std::cout << files << " files and " << mutations << " mutated pairs\n";
  return 0;
}
