// Results that take more bytes than they came with, and the facts that say why.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "link/model/report_model.h"

namespace varylink::report {

// For a module that has more than 1.1 times the bytes that it came with, one clause with the reason; else empty.
// `interfaces` are those of its pipeline.
std::string reason_to_be_larger(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after,
                                Stage stage, const std::vector<link::InterfaceReport>& interfaces);

}  // namespace varylink::report
