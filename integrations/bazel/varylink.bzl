"""Rules that link the stages of shader pipelines. docs/batch.md describes them, example/ uses them.

An action reads what it declares and nothing else: shaders, what they include (`deps`) and the command. Its outputs have the same
bytes on every machine, so that they can be cached and made elsewhere.
"""

_STAGES = ["vert", "tesc", "tese", "geom", "task", "mesh", "frag"]

_COMMON = {
    "deps": attr.label_list(allow_files = True, doc = "Files that the shaders include."),
    "options": attr.string_list(doc = "Options of `varylink link`, such as -O1."),
    "_varylink": attr.label(
        default = "@varylink//:varylink",
        allow_single_file = True,
        executable = True,
        cfg = "exec",
    ),
}

def _link_impl(ctx):
    arguments = ctx.actions.args()
    arguments.add("link")
    shaders = []
    results = []
    for stage in _STAGES:
        shader = getattr(ctx.file, stage)
        if not shader:
            continue
        result = ctx.actions.declare_file("%s/%s.spv" % (ctx.label.name, stage))
        arguments.add(shader, format = stage + "=%s")
        arguments.add("-o")
        arguments.add(result, format = stage + "=%s")
        shaders.append(shader)
        results.append(result)
    report = ctx.actions.declare_file(ctx.label.name + "/report.json")
    arguments.add("--report", report)
    arguments.add("--quiet")
    arguments.add_all(ctx.attr.options)
    ctx.actions.run(
        executable = ctx.executable._varylink,
        arguments = [arguments],
        inputs = shaders + ctx.files.deps,
        outputs = results + [report],
        mnemonic = "VarylinkLink",
        progress_message = "Linking shader pipeline %s" % ctx.label,
    )
    return [
        DefaultInfo(files = depset(results), runfiles = ctx.runfiles(results)),
        OutputGroupInfo(report = depset([report])),
    ]

_varylink_link = rule(
    implementation = _link_impl,
    attrs = dict(
        _COMMON,
        **{stage: attr.label(allow_single_file = True) for stage in _STAGES}
    ),
)

def _stage_of(shader):
    for part in reversed(shader.split(".")):
        if part in _STAGES:
            return part
    fail("which stage is %s? Give stages as a dict: {\"vert\": \"%s\", ...}" % (shader, shader))

def varylink_link(name, stages, **kwargs):
    """Links one pipeline; its results are NAME/<stage>.spv, and its report the output group `report`.

    Args:
      name: of the target.
      stages: shaders; a dict by stage, or a list where suffixes tell the stages (x.vert, x.frag.glsl).
      **kwargs: `deps`: files that the shaders include; `options`: of `varylink link`; what every rule has.
    """
    if type(stages) != "dict":
        by_stage = {}
        for shader in stages:
            if _stage_of(shader) in by_stage:
                fail("%s: two shaders for stage %s" % (name, _stage_of(shader)))
            by_stage[_stage_of(shader)] = shader
        stages = by_stage
    for stage in stages:
        if stage not in _STAGES:
            fail("%s: there is no stage %s, only %s" % (name, stage, ", ".join(_STAGES)))
    _varylink_link(name = name, **dict(kwargs, **stages))

def _manifest_impl(ctx):
    name = ctx.label.name
    manifest = ctx.file.manifest
    parts = []
    reports = []
    for number in range(1, ctx.attr.shards + 1):
        # Siblings, and the command runs in them: then a report says the same whatever the number of shards is.
        part = ctx.actions.declare_directory("%s.parts/%d" % (name, number))
        report = ctx.actions.declare_file("%s.parts/%d.json" % (name, number))
        ctx.actions.run(
            executable = ctx.executable._link_shard,
            arguments = [
                part.path,
                report.path,
                str(ctx.attr.attempts),
                str(ctx.attr.seconds),
                ctx.executable._varylink.path,
                manifest.path,
                "%d/%d" % (number, ctx.attr.shards),
            ] + ctx.attr.options,
            inputs = [manifest] + ctx.files.srcs + ctx.files.deps,
            tools = [ctx.executable._varylink],
            outputs = [part, report],
            mnemonic = "VarylinkShard",
            progress_message = "Linking part %d of %d of %s" % (number, ctx.attr.shards, ctx.label),
        )
        parts.append(part)
        reports.append(report)

    results = ctx.actions.declare_directory(name)
    ctx.actions.run_shell(
        command = "out=$1 && shift && for part; do cp -R \"$part/.\" \"$out\" || exit 1; done",
        arguments = [results.path] + [part.path for part in parts],
        inputs = parts,
        outputs = [results],
        mnemonic = "VarylinkGather",
        progress_message = "Gathering the results of %s" % ctx.label,
    )
    report = ctx.actions.declare_file(name + ".json")
    ctx.actions.run(
        executable = ctx.executable._varylink,
        arguments = ["merge-reports", "-o", report.path] + [each.path for each in reports],
        inputs = reports,
        outputs = [report],
        mnemonic = "VarylinkMerge",
        progress_message = "Merging the reports of %s" % ctx.label,
    )
    return [
        DefaultInfo(files = depset([results]), runfiles = ctx.runfiles([results])),
        OutputGroupInfo(report = depset([report])),
    ]

varylink_manifest = rule(
    implementation = _manifest_impl,
    doc = "Links the pipelines of a manifest in `shards` actions that cost alike. The results are the folder NAME, with " +
          "<pipeline>/<stage>.spv or what --share makes; the output group `report` has NAME.json, the report of one process.",
    attrs = dict(
        _COMMON,
        manifest = attr.label(mandatory = True, allow_single_file = True),
        srcs = attr.label_list(allow_files = True, doc = "The shaders that the manifest names, relative to it."),
        shards = attr.int(default = 1),
        attempts = attr.int(default = 3, doc = "How often a part is linked if it is killed or takes too long."),
        seconds = attr.int(default = 3600, doc = "What is too long for one part."),
        _link_shard = attr.label(default = "//:link_shard.sh", allow_single_file = True, executable = True, cfg = "exec"),
    ),
)
