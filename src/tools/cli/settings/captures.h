// Captures of GFXReconstruct, which the programs of its package read.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/gfxreconstruct/capture.h"

namespace varylink::cli {

// True for names that end in .gfxr.
bool looks_like_capture(const std::string& path);

struct ReadCapture {
  formats::gfxreconstruct::Capture capture;
  Diagnostics warnings;  // of these programs, such as that the capture is cut off
};

// Has gfxrecon-convert and gfxrecon-extract, found as a shell does, write what is in the capture to a temporary folder,
// and reads that. Errors: io; usage, a program that is not there or too old, or a file that is no capture.
Result<ReadCapture> read_capture(const std::string& path);

}  // namespace varylink::cli
