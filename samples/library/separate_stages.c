/* Shaders for pipeline libraries or shader objects meet at run time, in combinations that may not be known when they are
 * built. Linked modules only fit their own partner, so such shaders stay as they are. This program says what that
 * costs: for each fragment shader whether it fits behind the vertex shader unlinked, by the stricter rules for pipeline
 * libraries, and what linking the two would win, for those combinations that are worth a pipeline of their own.
 *
 *   separate_stages a.vert.spv b.frag.spv c.frag.spv ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <varylink/varylink.h>

static void print_message(void* user, const varylink_diagnostic* d) {
  (void)user;
  if (d->severity == VARYLINK_SEVERITY_ERROR) fprintf(stderr, "  %s: %s\n", d->file, d->message);
}

static int add_file(varylink_pipeline* pipeline, const char* path) {
  static uint32_t words[1 << 18];
  varylink_spirv_stage stage = {0};
  FILE* file = fopen(path, "rb");
  if (file == NULL) return 0;
  stage.struct_size = sizeof(stage);
  stage.words = words;
  stage.word_count = fread(words, sizeof(uint32_t), sizeof(words) / sizeof(uint32_t), file);
  stage.name = path;
  fclose(file);
  return varylink_pipeline_add_spirv(pipeline, &stage) == VARYLINK_SUCCESS;
}

static int look_at(varylink_context* context, const char* vertex, const char* fragment) {
  varylink_check_options separate = {0};
  varylink_pipeline* pipeline = NULL;
  varylink_result *checked = NULL, *linked = NULL;
  varylink_interface between = {0};
  int ok = varylink_pipeline_create(context, NULL, &pipeline) == VARYLINK_SUCCESS && add_file(pipeline, vertex) &&
           add_file(pipeline, fragment);
  separate.struct_size = sizeof(separate);
  separate.flags = VARYLINK_CHECK_PIPELINE_LIBRARY;
  between.struct_size = sizeof(between);
  if (ok) {
    const int fits = varylink_check(pipeline, &separate, &checked) == VARYLINK_SUCCESS;
    printf("%s: %s", fragment, fits ? "fits unlinked" : "does not fit unlinked");
    if (varylink_link(pipeline, NULL, &linked) == VARYLINK_SUCCESS &&
        varylink_result_get_interface(linked, 0, &between) == VARYLINK_SUCCESS)
      printf(", linked %u components instead of %u", between.after.components, between.before.components);
    printf("\n");
    ok = fits;
  }
  varylink_result_destroy(checked);
  varylink_result_destroy(linked);
  varylink_pipeline_destroy(pipeline);
  return ok;
}

int main(int argc, char** argv) {
  varylink_context_info info = {0};
  varylink_context* context = NULL;
  int i, ok;
  info.struct_size = sizeof(info);
  info.message = print_message;
  ok = argc > 2 && varylink_context_create(&info, &context) == VARYLINK_SUCCESS;
  for (i = 2; i < argc && context != NULL; ++i) ok = look_at(context, argv[1], argv[i]) && ok;
  varylink_context_destroy(context);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
