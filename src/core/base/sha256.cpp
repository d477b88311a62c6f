#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define VARYLINK_HAVE_SHA_INSTRUCTIONS
#endif

namespace varylink {
namespace {

// First 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

using State = std::array<std::uint32_t, 8>;

#ifdef VARYLINK_HAVE_SHA_INSTRUCTIONS
bool has_sha_instructions() {
  constexpr unsigned kSha = 1u << 29, kSse41 = 1u << 19;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kSse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

// Four rounds at a time, as Intel's "SHA Extensions" has it: the state is kept as ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) void add_block_by_instructions(State& state, const std::uint8_t* block) {
  const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
  const __m128i big_endian_words = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(load(&state[0]), 0xb1), efgh = _mm_shuffle_epi32(load(&state[4]), 0x1b);
  const __m128i abef_before = _mm_alignr_epi8(cdab, efgh, 8), cdgh_before = _mm_blend_epi16(efgh, cdab, 0xf0);
  __m128i abef = abef_before, cdgh = cdgh_before;
  __m128i w[4];  // the last sixteen words of the schedule
  for (std::size_t i = 0; i < 16; ++i) {
    __m128i& next = w[i % 4];
    if (i < 4) {
      next = _mm_shuffle_epi8(load(block + 16 * i), big_endian_words);
    } else {
      const __m128i second = w[(i + 1) % 4], third = w[(i + 2) % 4], last = w[(i + 3) % 4];
      const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(next, second), _mm_alignr_epi8(last, third, 4));
      next = _mm_sha256msg2_epu32(sum, last);
    }
    const __m128i round = _mm_add_epi32(next, load(&kRound[4 * i]));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, round);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(round, 0x0e));
  }
  abef = _mm_add_epi32(abef, abef_before);
  cdgh = _mm_add_epi32(cdgh, cdgh_before);
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[0]), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}
#endif

void add_block_by_words(State& state, const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += sum[i];
}

}  // namespace

void Sha256::add_block(const std::uint8_t* block) {
#ifdef VARYLINK_HAVE_SHA_INSTRUCTIONS
  static const bool by_instructions = has_sha_instructions();
  if (by_instructions) return add_block_by_instructions(state_, block);
#endif
  add_block_by_words(state_, block);
}

void Sha256::add(std::span<const std::uint8_t> bytes) {
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (pending_size_ == 0 && bytes.size() >= pending_.size()) {
      add_block(bytes.data());
      bytes = bytes.subspan(pending_.size());
      continue;
    }
    const std::size_t count = std::min(bytes.size(), pending_.size() - pending_size_);
    std::memcpy(pending_.data() + pending_size_, bytes.data(), count);
    pending_size_ += count;
    bytes = bytes.subspan(count);
    if (pending_size_ < pending_.size()) return;
    add_block(pending_.data());
    pending_size_ = 0;
  }
}

void Sha256::add(std::string_view text) {
  add(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void Sha256::add(std::span<const std::uint32_t> words) {
  if constexpr (std::endian::native == std::endian::little)
    return add(std::span(reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()));
  std::array<std::uint8_t, 4> bytes{};
  for (const std::uint32_t word : words) {
    for (std::size_t i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (8 * i));
    add(bytes);
  }
}

void Sha256::add(std::uint64_t number) {
  std::array<std::uint8_t, 8> bytes{};
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(number >> (8 * i));
  add(bytes);
}

std::string Sha256::hex() {
  const std::uint64_t bits = length_ * 8;
  std::array<std::uint8_t, 72> padding{0x80};
  const std::size_t zeros = (119 - length_ % 64) % 64;  // so that 0x80, zeros and the length end a block
  for (std::size_t i = 0; i < 8; ++i) padding[1 + zeros + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  add(std::span<const std::uint8_t>(padding.data(), 9 + zeros));
  std::string text;
  for (const std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  return text;
}

std::string content_hash(std::span<const std::uint32_t> words) {
  Sha256 hash;
  hash.add(words);
  return hash.hex();
}

}  // namespace varylink
