/* What a debugger such as RenderDoc can show of shaders before and after they are linked: names of variables, lines, the
 * text of the source, and the instructions that let it step through the source.
 *
 *   debug_info a.vert.spv b.frag.spv
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <varylink/varylink.h>

typedef struct {
  unsigned names, lines, sources, steps;
} debug_info;

/* Opcodes and places of operands: SPIR-V specification, section 3.49 (debug instructions). */
static debug_info count(const uint32_t* words, size_t size) {
  enum { OP_SOURCE = 3, OP_NAME = 5, OP_LINE = 8, OP_EXT_INST_IMPORT = 11, OP_EXT_INST = 12, DEBUG_SOURCE = 35, DEBUG_LINE = 103 };
  debug_info info = {0};
  uint32_t debug_set = 0;
  size_t at = 5; /* behind the header */
  while (at < size) {
    const uint32_t length = words[at] >> 16, op = words[at] & 0xffff;
    const uint32_t* operand = words + at + 1;
    if (length == 0 || length > size - at) break;
    if (op == OP_NAME) ++info.names;
    if (op == OP_LINE) ++info.lines;
    if (op == OP_SOURCE && length > 4) ++info.sources;
    if (op == OP_EXT_INST_IMPORT && strcmp((const char*)(operand + 1), "NonSemantic.Shader.DebugInfo.100") == 0)
      debug_set = operand[0];
    if (op == OP_EXT_INST && debug_set != 0 && operand[2] == debug_set) {
      if (operand[3] == DEBUG_SOURCE && length > 6) ++info.sources;
      if (operand[3] == DEBUG_LINE) ++info.steps;
    }
    at += length;
  }
  return info;
}

static void print(const char* what, const char* name, const uint32_t* words, size_t size) {
  const debug_info info = count(words, size);
  printf("%s %s: %u names, %u lines, %u source texts, %u steps\n", name, what, info.names, info.lines, info.sources,
         info.steps);
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
  print("before", path, words, stage.word_count);
  return varylink_pipeline_add_spirv(pipeline, &stage) == VARYLINK_SUCCESS;
}

int main(int argc, char** argv) {
  varylink_context* context = NULL;
  varylink_pipeline* pipeline = NULL;
  varylink_result* result = NULL;
  size_t i;
  int ok = argc == 3 && varylink_context_create(NULL, &context) == VARYLINK_SUCCESS &&
           varylink_pipeline_create(context, NULL, &pipeline) == VARYLINK_SUCCESS && add_file(pipeline, argv[1]) &&
           add_file(pipeline, argv[2]) && varylink_link(pipeline, NULL, &result) == VARYLINK_SUCCESS;
  for (i = 0; ok && i < varylink_result_stage_count(result); ++i) {
    varylink_stage_output stage = {0};
    stage.struct_size = sizeof(stage);
    ok = varylink_result_get_stage(result, i, &stage) == VARYLINK_SUCCESS;
    if (ok) print("after", stage.name, stage.words, stage.word_count);
  }
  if (!ok) fprintf(stderr, "not linked\n");
  varylink_result_destroy(result);
  varylink_pipeline_destroy(pipeline);
  varylink_context_destroy(context);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
