"""Tint, the compiler of WGSL in Chromium: what SPIR-V it makes, and what WGSL it takes.

Runs where a Chromium with WebGPU is installed (third_party/install-debian.sh --browser); it draws with the SwiftShader that it
brings along. available() says whether it does.
"""
import contextlib
import functools
import http.server
import json
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading

BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
TIMEOUT = 300  # seconds for one page

PAGE = """<!DOCTYPE html><script type="module">
const given = await (await fetch("/given")).json();
const answer = { objections: [] };
async function objection(device, code) {
  const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
  return messages.find(({ type }) => type === "error")?.message ?? "";
}
try {
  const adapter = await navigator.gpu.requestAdapter({ forceFallbackAdapter: true });
  const device = await adapter.requestDevice({ requiredFeatures: adapter.features });
  for (const code of given.taken) answer.objections.push(await objection(device, code));
  for (const { code, buffers } of given.pairs) {
    const module = device.createShaderModule({ code });
    await device.createRenderPipelineAsync({ layout: "auto", vertex: { module, buffers },
                                             fragment: { module, targets: [{ format: "rgba8unorm" }] } });
  }
  console.log("all is made");
} catch (error) {
  answer.error = String(error);
}
await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
</script>"""


class Failure(Exception):
    pass


def browser():
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextlib.contextmanager
def served(given):
    """Address of the page, and a queue that gets its answer. Chromium has WebGPU for addresses of this machine."""
    answers = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):  # noqa: N802
            body, kind = (json.dumps(given), "application/json") if self.path == "/given" else (PAGE, "text/html")
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

        def do_POST(self):  # noqa: N802
            answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", answers
        server.shutdown()


def open_page(taken, pairs):
    """What the page found out, and what Chromium logged until then."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, served({"taken": taken, "pairs": pairs}) as (
            address, answers), open(pathlib.Path(folder) / "log", "w+b") as log:
        program = subprocess.Popen(
            [browser(), "--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--enable-unsafe-webgpu",
             "--use-webgpu-adapter=swiftshader", "--enable-dawn-features=dump_shaders,disable_symbol_renaming",
             "--enable-logging=stderr", f"--user-data-dir={folder}/profile", address],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        try:
            answer = answers.get(timeout=TIMEOUT)
            text = logged(log, '"all is made"') if "error" not in answer else ""
        except queue.Empty:
            raise Failure("the page gives no answer") from None
        finally:
            program.terminate()
            program.wait()
    if "error" in answer:
        raise Failure(answer["error"])
    return answer, text


def logged(file, last):
    """What stands in a file that another process writes, once it has its last words."""
    for _ in range(TIMEOUT * 10):
        file.seek(0)
        text = file.read().decode(errors="replace")
        if last in text:
            return text
        threading.Event().wait(0.1)
    raise Failure("Chromium does not log what the page says")


@functools.cache
def available():
    try:
        return browser() is not None and open_page([""], [])[0]["objections"] == [""]
    except Failure:
        return False


def objections(texts):
    """What Tint says against each text of WGSL: empty for those that it takes."""
    return open_page(texts, [])[0]["objections"]


def spirv_of(code, buffers):
    """The SPIR-V assembly of both stages of a render pipeline: {"vert": text, "frag": text}.

    `code` is WGSL with one vertex and one fragment entry point, `buffers` the vertex buffers as WebGPU has them.
    """
    _, log = open_page([], [{"code": code, "buffers": buffers}])
    dumped = re.findall(r"/\* Dumped SPIRV disassembly \*/\n(.*?\n)\", source:", log, re.S)
    stages = {"vert" if re.search(r"^\s*OpEntryPoint Vertex ", text, re.M) else "frag": text for text in dumped}
    if stages.keys() != {"vert", "frag"}:
        raise Failure(f"Chromium logged the SPIR-V of {len(dumped)} modules")
    return stages
