"""Where the rules find the command."""

def _varylink_repository_impl(repository_ctx):
    path = repository_ctx.attr.path or repository_ctx.os.environ.get("VARYLINK", "")
    program = repository_ctx.path(path) if path else repository_ctx.which("varylink")
    if not program or not program.exists:
        fail("varylink is not there; install it, or name it: varylink_repository(name = \"varylink\", path = \"/opt/bin/varylink\")")

    # The program itself, not its name, is an input of every action: another build of it links again.
    repository_ctx.symlink(program, "varylink")
    repository_ctx.file("BUILD.bazel", "exports_files([\"varylink\"], visibility = [\"//visibility:public\"])\n")

varylink_repository = repository_rule(
    implementation = _varylink_repository_impl,
    doc = "The command as @NAME//:varylink: `path`, or what $VARYLINK names, or the one of $PATH.",
    attrs = {"path": attr.string(doc = "an absolute path")},
    environ = ["VARYLINK", "PATH"],
    local = True,
)
