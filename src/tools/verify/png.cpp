#include "verify/png.h"

#ifdef VARYLINK_HAVE_PNG
#include <png.h>

#include "platform/late_library.h"
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "platform/file_system.h"

namespace varylink::verify {
namespace {

constexpr std::uint32_t kZoom = 4;  // targets are small

using Rgb = std::vector<std::uint8_t>;  // three bytes per pixel

// Range of the finite values of a component over the covered pixels of the original.
struct Range {
  double low = 0, high = 1;
};

double value_of(const Plane& plane, std::uint32_t pixel, std::uint32_t component) {
  const std::uint32_t word = plane.words[static_cast<std::size_t>(pixel) * plane.components + component];
  if (plane.kind == varyings::ScalarKind::floating) return static_cast<double>(std::bit_cast<float>(word));
  if (plane.kind == varyings::ScalarKind::sint) return static_cast<double>(static_cast<std::int32_t>(word));
  return static_cast<double>(word);
}

Range range_of(const Plane& plane, std::uint32_t component) {
  Range range{INFINITY, -INFINITY};
  for (std::uint32_t pixel = 0; pixel < plane.pixel_count(); ++pixel) {
    const double value = value_of(plane, pixel, component);
    if (!plane.covered(pixel) || !std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (!(range.low < range.high))
    return {range.low == INFINITY ? 0 : range.low - 1, range.low == INFINITY ? 1 : range.low + 1};
  return range;
}

std::uint8_t scaled(double value, const Range& range) {
  if (std::isnan(value)) return 255;
  return static_cast<std::uint8_t>(std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0) * 255.0);
}

Rgb picture_of(const Plane& plane, const Plane& scale_by) {
  Rgb result(static_cast<std::size_t>(plane.pixel_count()) * 3, 0);
  for (std::uint32_t channel = 0; channel < 3; ++channel) {
    const std::uint32_t component = std::min(channel, plane.components - 1);
    const Range range = range_of(scale_by, component);
    for (std::uint32_t pixel = 0; pixel < plane.pixel_count(); ++pixel)
      if (plane.covered(pixel)) result[pixel * 3 + channel] = scaled(value_of(plane, pixel, component), range);
  }
  return result;
}

// Any differing bit shows; larger differences are brighter. A difference in the fourth component alone is grey.
Rgb difference_of(const Plane& original, const Plane& linked) {
  Rgb result(static_cast<std::size_t>(original.pixel_count()) * 3, 0);
  for (std::uint32_t component = 0; component < original.components; ++component) {
    const Range range = range_of(original, component);
    for (std::uint32_t pixel = 0; pixel < original.pixel_count(); ++pixel) {
      const std::size_t word = static_cast<std::size_t>(pixel) * original.components + component;
      if (original.words[word] == linked.words[word]) continue;
      const double distance = std::fabs(value_of(original, pixel, component) - value_of(linked, pixel, component));
      const double share = std::isnan(distance) ? 1.0 : std::clamp(distance / (range.high - range.low), 0.0, 1.0);
      const auto level = static_cast<std::uint8_t>(80.0 + 175.0 * share);
      for (std::uint32_t channel = 0; channel < 3; ++channel)
        if (component >= 3 || channel == component)
          result[pixel * 3 + channel] = std::max(result[pixel * 3 + channel], level);
    }
  }
  return result;
}

#ifdef VARYLINK_HAVE_PNG
const platform::LateLibrary& libpng() {
#ifdef __APPLE__
  static const platform::LateLibrary library("libpng16.16.dylib");
#elif defined(_WIN32)
  static const platform::LateLibrary library("libpng16.dll");
#else
  static const platform::LateLibrary library("libpng16.so.16");
#endif
  return library;
}
#endif

// False if the file cannot be written, always so without libpng.
bool write_png([[maybe_unused]] const std::string& path, const Rgb& picture, std::uint32_t width,
               std::uint32_t height) {
  Rgb large(picture.size() * kZoom * kZoom);
  for (std::uint32_t y = 0; y < height * kZoom; ++y)
    for (std::uint32_t x = 0; x < width * kZoom; ++x)
      std::memcpy(&large[(static_cast<std::size_t>(y) * width * kZoom + x) * 3],
                  &picture[(static_cast<std::size_t>(y / kZoom) * width + x / kZoom) * 3], 3);
#ifdef VARYLINK_HAVE_PNG
  decltype(&png_image_write_to_file) write_to_file = nullptr;
  if (!libpng().find(write_to_file, "png_image_write_to_file")) return false;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width * kZoom;
  image.height = height * kZoom;
  image.format = PNG_FORMAT_RGB;
  return write_to_file(&image, path.c_str(), 0, large.data(), 0, nullptr) != 0;
#else
  return false;
#endif
}

// Letters, digits, '-', '_' and '.' stay, so that a pipeline's name cannot leave the folder.
std::string file_name(const std::string& text) {
  std::string result = text;
  for (char& letter : result)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-' && letter != '_' && letter != '.')
      letter = '_';
  return result;
}

}  // namespace

Result<void> can_write_pictures() {
#ifdef VARYLINK_HAVE_PNG
  if (libpng().error().empty()) return {};
  return make_error(ErrorKind::usage, {},
                    "pictures need libpng (Debian: apt install libpng16-16): " + libpng().error());
#else
  return make_error(ErrorKind::usage, {}, "this varylink was built without libpng, which pictures need");
#endif
}

std::vector<std::string> write_picture_set(const Frame& original, const Frame& linked, const std::string& folder,
                                           const std::string& name) {
  std::vector<std::string> files;
  (void)platform::make_folders(folder);  // pictures that cannot be written are not listed
  for (std::size_t i = 0; i < original.planes.size(); ++i) {
    const Plane& before = original.planes[i];
    const Plane& after = linked.planes[i];
    const std::string base = folder + "/" + file_name(name + "-" + before.name) + "-";
    const std::uint32_t height = before.height * before.layers;
    const auto write = [&](const char* kind, const Rgb& picture) {
      if (write_png(base + kind + ".png", picture, before.width, height)) files.push_back(base + kind + ".png");
    };
    write("original", picture_of(before, before));
    write("linked", picture_of(after, before));
    write("difference", difference_of(before, after));
  }
  return files;
}

}  // namespace varylink::verify
