// Writes start inputs for the libFuzzer targets: generated modules and pairs, and the sample manifest.
//
// usage: make_corpus FOLDER [COUNT]     makes FOLDER/module, FOLDER/pair, FOLDER/manifest
#include <filesystem>
#include <fstream>
#include <iostream>

#include "fuzz/candidate.h"
#include "fuzz/generator.h"
#include "fuzz/spirv_templates.h"

namespace {

using namespace varylink;
using namespace varylink::fuzz;

void write_words(const std::filesystem::path& path, const std::vector<std::uint32_t>& words) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
}

void write_seed(const std::filesystem::path& folder, std::uint64_t seed) {
  Features features;
  const Candidate candidate = seed % 2 ? candidate_of(plan_templates(seed)) : candidate_of(generate(seed, features));
  const auto stages = compile(candidate);
  if (!stages) return;
  const std::string name = std::to_string(seed);
  for (std::size_t i = 0; i < stages->size(); ++i) {
    const std::vector<std::uint32_t>& words = (*stages)[i].words;
    write_words(folder / "module" / (name + "." + std::string(short_name((*stages)[i].stage))), words);
    if (i == 0) continue;
    const std::vector<std::uint32_t>& before = (*stages)[i - 1].words;
    std::vector<std::uint32_t> pair = {static_cast<std::uint32_t>(before.size())};
    pair.insert(pair.end(), before.begin(), before.end());
    pair.insert(pair.end(), words.begin(), words.end());
    write_words(folder / "pair" / (name + "." + std::to_string(i)), pair);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: make_corpus FOLDER [COUNT]\n";
    return 1;
  }
  const std::filesystem::path folder = argv[1];
  for (const char* name : {"module", "pair", "manifest"}) std::filesystem::create_directories(folder / name);
  const int count = argc > 2 ? std::atoi(argv[2]) : 100;
  for (int seed = 0; seed < count; ++seed) write_seed(folder, static_cast<std::uint64_t>(seed));
  std::filesystem::copy_file(VARYLINK_SOURCE_DIR "/samples/pipelines.jsonl", folder / "manifest" / "samples.jsonl",
                             std::filesystem::copy_options::overwrite_existing);
  return 0;
}
