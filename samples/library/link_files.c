/* Links two SPIR-V files with the C interface and writes the results beside them as <file>.linked.
 *
 *   link_files a.vert.spv b.frag.spv
 */
#include <stdio.h>
#include <stdlib.h>
#include <varylink/varylink.h>

static void print_message(void* user, const varylink_diagnostic* d) {
  (void)user;
  fprintf(stderr, "%s: %s %s\n", d->file, d->message, d->vuid);
}

/* All words of a file; NULL if it cannot be read. */
static uint32_t* read_words(const char* path, size_t* count) {
  FILE* file = fopen(path, "rb");
  uint32_t* words = NULL;
  long size;
  *count = 0;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
    words = malloc((size_t)size);
    if (words != NULL) *count = fread(words, sizeof(uint32_t), (size_t)size / sizeof(uint32_t), file);
  }
  fclose(file);
  return words;
}

static int add_file(varylink_pipeline* pipeline, const char* path) {
  varylink_spirv_stage stage = {0};
  uint32_t* words = read_words(path, &stage.word_count);
  varylink_status status;
  stage.struct_size = sizeof(stage);
  stage.words = words;
  stage.name = path;
  status = varylink_pipeline_add_spirv(pipeline, &stage);
  free(words);
  return status == VARYLINK_SUCCESS;
}

static int write_stage(const varylink_result* result, size_t index) {
  varylink_stage_output stage = {0};
  char path[1024];
  FILE* file;
  size_t written;
  stage.struct_size = sizeof(stage);
  if (varylink_result_get_stage(result, index, &stage) != VARYLINK_SUCCESS) return 0;
  snprintf(path, sizeof(path), "%s.linked", stage.name);
  file = fopen(path, "wb");
  if (file == NULL) return 0;
  written = fwrite(stage.words, sizeof(uint32_t), stage.word_count, file);
  return fclose(file) == 0 && written == stage.word_count;
}

static int write_results(const varylink_result* result) {
  varylink_interface between = {0};
  size_t i;
  between.struct_size = sizeof(between);
  for (i = 0; i < varylink_result_interface_count(result); ++i) {
    varylink_result_get_interface(result, i, &between);
    printf("%s to %s: %u components before, %u after\n", varylink_stage_name(between.producer),
           varylink_stage_name(between.consumer), between.before.components, between.after.components);
  }
  for (i = 0; i < varylink_result_stage_count(result); ++i)
    if (!write_stage(result, i)) return 0;
  return 1;
}

int main(int argc, char** argv) {
  varylink_context_info info = {0};
  varylink_context* context = NULL;
  varylink_pipeline* pipeline = NULL;
  varylink_result* result = NULL;
  int i, ok;

  info.struct_size = sizeof(info);
  info.message = print_message;
  ok = varylink_context_create(&info, &context) == VARYLINK_SUCCESS &&
       varylink_pipeline_create(context, NULL, &pipeline) == VARYLINK_SUCCESS;
  for (i = 1; ok && i < argc; ++i) ok = add_file(pipeline, argv[i]);
  ok = ok && varylink_link(pipeline, NULL, &result) == VARYLINK_SUCCESS && write_results(result);
  if (!ok) fprintf(stderr, "not linked: %s\n", varylink_context_error(context));

  varylink_result_destroy(result);
  varylink_pipeline_destroy(pipeline);
  varylink_context_destroy(context);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
