/* Links two SPIR-V modules at run time and keeps the result in a folder, so that the next start need not link.
 *
 *   shader_cache FOLDER a.vert.spv b.frag.spv        prints "linked" or "from the cache"
 *
 * What decides the result is the key: the words of both modules, the version of the library, and the options (here
 * always the defaults; a program that sets some adds them to what is hashed and compared). The entry holds that key in
 * full and is compared with it, so that neither two keys with one hash nor a damaged file can give a wrong shader.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <varylink/varylink.h>

enum { STAGES = 2 };

typedef struct {
  unsigned char* bytes;
  size_t size;
} blob;

static int append(blob* to, const void* bytes, size_t size) {
  unsigned char* grown = size > SIZE_MAX - to->size ? NULL : realloc(to->bytes, to->size + size + 1);
  if (grown == NULL) return 0;
  to->bytes = grown;
  memcpy(grown + to->size, bytes, size);
  to->size += size;
  return 1;
}

static int append_counted(blob* to, const void* bytes, uint64_t size) {
  return append(to, &size, sizeof(size)) && append(to, bytes, (size_t)size);
}

static int read_all(const char* path, blob* content) {
  unsigned char part[4096];
  size_t count;
  int ok = 1;
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 0;
  while (ok && (count = fread(part, 1, sizeof(part), file)) > 0) ok = append(content, part, count);
  ok = ok && ferror(file) == 0;
  fclose(file);
  return ok;
}

/* FNV-1a. It only has to spread entries over file names: see above. */
static uint64_t hash_of(const blob* key) {
  uint64_t hash = 14695981039346656037u;
  size_t i;
  for (i = 0; i < key->size; ++i) hash = (hash ^ key->bytes[i]) * 1099511628211u;
  return hash;
}

/* The linked modules behind the key of an entry; 0 if the entry is of another key, or not whole. */
static int split_entry(const blob* entry, const blob* key, blob modules[STAGES]) {
  size_t at = key->size;
  int i;
  if (entry->size < key->size || memcmp(entry->bytes, key->bytes, key->size) != 0) return 0;
  for (i = 0; i < STAGES; ++i) {
    uint64_t size;
    if (entry->size - at < sizeof(size)) return 0;
    memcpy(&size, entry->bytes + at, sizeof(size));
    at += sizeof(size);
    if (size == 0 || size > entry->size - at || !append(&modules[i], entry->bytes + at, (size_t)size)) return 0;
    at += (size_t)size;
  }
  return at == entry->size;
}

/* Written beside its place and renamed: another process sees all of it or nothing. */
static void store(const char* path, const blob* entry) {
  char temporary[1100];
  FILE* file;
  int whole;
  snprintf(temporary, sizeof(temporary), "%s.new", path);
  file = fopen(temporary, "wb");
  if (file == NULL) return;
  whole = fwrite(entry->bytes, 1, entry->size, file) == entry->size;
  if (fclose(file) != 0 || !whole || rename(temporary, path) != 0) remove(temporary);
}

/* Links and appends both modules, in pipeline order, to the entry. */
static int link_into(const blob sources[STAGES], blob modules[STAGES], blob* entry) {
  varylink_context* context = NULL;
  varylink_pipeline* pipeline = NULL;
  varylink_result* result = NULL;
  int i, ok = varylink_context_create(NULL, &context) == VARYLINK_SUCCESS &&
              varylink_pipeline_create(context, NULL, &pipeline) == VARYLINK_SUCCESS;
  for (i = 0; ok && i < STAGES; ++i) {
    varylink_spirv_stage stage = {0};
    stage.struct_size = sizeof(stage);
    stage.words = (const uint32_t*)(const void*)sources[i].bytes;
    stage.word_count = sources[i].size / sizeof(uint32_t);
    ok = varylink_pipeline_add_spirv(pipeline, &stage) == VARYLINK_SUCCESS;
  }
  ok = ok && varylink_link(pipeline, NULL, &result) == VARYLINK_SUCCESS;
  ok = ok && varylink_result_stage_count(result) == STAGES;
  for (i = 0; ok && i < STAGES; ++i) {
    varylink_stage_output stage = {0};
    stage.struct_size = sizeof(stage);
    ok = varylink_result_get_stage(result, (size_t)i, &stage) == VARYLINK_SUCCESS &&
         append(&modules[i], stage.words, stage.word_count * sizeof(uint32_t)) &&
         append_counted(entry, stage.words, stage.word_count * sizeof(uint32_t));
  }
  varylink_result_destroy(result);
  varylink_pipeline_destroy(pipeline);
  varylink_context_destroy(context);
  return ok;
}

int main(int argc, char** argv) {
  blob sources[STAGES] = {{0}}, modules[STAGES] = {{0}}, key = {0}, entry = {0};
  const char* version = varylink_version_string();
  char path[1024];
  int i, known, ok = argc == 2 + STAGES && append_counted(&key, version, strlen(version));
  for (i = 0; ok && i < STAGES; ++i)
    ok = read_all(argv[2 + i], &sources[i]) && append_counted(&key, sources[i].bytes, sources[i].size);
  if (!ok) {
    fprintf(stderr, "usage: shader_cache FOLDER a.vert.spv b.frag.spv\n");
    return EXIT_FAILURE;
  }
  snprintf(path, sizeof(path), "%s/%016" PRIx64, argv[1], hash_of(&key));
  known = read_all(path, &entry) && split_entry(&entry, &key, modules);
  if (!known) {
    for (i = 0; i < STAGES; ++i) free(modules[i].bytes);
    memset(modules, 0, sizeof(modules));
    entry.size = 0;
    ok = append(&entry, key.bytes, key.size) && link_into(sources, modules, &entry);
    if (ok) store(path, &entry);
  }
  /* Here vkCreateShaderModule would get modules[0] and modules[1], or the sources if the link failed. */
  if (ok)
    printf("%s: %zu and %zu bytes\n", known ? "from the cache" : "linked", modules[0].size, modules[1].size);
  else
    fprintf(stderr, "not linked\n");
  for (i = 0; i < STAGES; ++i) free(sources[i].bytes), free(modules[i].bytes);
  free(key.bytes);
  free(entry.bytes);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
