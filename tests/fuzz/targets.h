// Entries for bytes that anybody may have made. Each must come back whatever it is given: no crash, no hang, no
// undefined behaviour. libFuzzer calls them (preset "fuzz"), and fuzz_regressions calls them with the files of
// tests/fuzz/regressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace varylink::fuzz {

// A SPIR-V binary: read, written back (a module that reads gives the same words), linked alone if it is valid.
void run_module(const std::uint8_t* data, std::size_t size);

// Two SPIR-V binaries behind each other, linked as a pipeline with the stages that their entry points name. The first
// word is the number of words of the first one.
void run_pair(const std::uint8_t* data, std::size_t size);

// The same for words. Words that cannot be read are linked as a vertex and a fragment shader.
enum class Outcome { refused, passed_unchecked, linked };
Outcome link_pair(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second);

// The text of a pipeline manifest.
void run_manifest(const std::uint8_t* data, std::size_t size);

// A Fossilize database: read, written back (nothing linked gives the same bytes), its modules and pipelines read.
void run_database(const std::uint8_t* data, std::size_t size);

// The text of a pipeline JSON of Vulkan SC.
void run_pipeline_json(const std::uint8_t* data, std::size_t size);

struct Target {
  std::string_view name;  // and folder of its regressions
  void (*run)(const std::uint8_t* data, std::size_t size);
};

const std::vector<Target>& targets();

}  // namespace varylink::fuzz
