"""The HTML page of link --html, in a real browser without a window. Skips what needs one where there is none."""

import json
import re
import shutil
import subprocess
import unittest

from harness import FRAG, MOVING_FRAG, MOVING_VERT, VERT, CliTest

BROWSER = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None)
NEEDS_BROWSER = unittest.skipUnless(BROWSER, "no Chromium is installed (third_party/install-debian.sh --browser)")

# What a page says about itself at the end: a script that is appended to it writes this element.
RESULT = re.compile(r'<pre id="result">(.*?)</pre>', re.DOTALL)


class Page(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def open(self, page, script=""):
        """What `script` puts into `result`, and what the browser's console said."""
        text = (self.dir / page).read_text()
        self.write("opened.html", text + f"""<script>(() => {{ const result = {{}};
            try {{ {script} }} catch (error) {{ result.error = String(error); }}
            const place = document.createElement('pre');
            place.id = 'result';
            place.textContent = JSON.stringify(result).replaceAll('<', '\\\\u003c').replaceAll('&', '\\\\u0026')
                .replaceAll('>', '\\\\u003e');
            document.body.append(place); }})();</script>""")
        completed = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--window-size=1280,900",
             f"--user-data-dir={self.dir / 'profile'}", "--dump-dom", (self.dir / "opened.html").as_uri()],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        console = re.findall(r'CONSOLE[^"]*"(.*)", source', completed.stderr.decode("utf-8", "replace"))
        return json.loads(RESULT.search(completed.stdout.decode()).group(1)), console

    def batch(self):
        self.write("flat.frag", FRAG.replace("vec4(color.xy, 0.0, 1.0)", "color"))
        lines = [{"name": "big/gain", "stages": {"vert": "a.vert", "frag": "b.frag"}},
                 {"name": "small", "stages": {"vert": "a.vert", "frag": "flat.frag"}},
                 {"name": "broken", "stages": {"vert": "a.vert", "frag": "none.frag"}}]
        self.write("m.jsonl", "\n".join(map(json.dumps, lines)))
        self.assertEqual(self.run_cli("link", "--manifest", "m.jsonl", "-q", "--html", "r.html").status, 1)

    def test_page_is_whole_and_asks_for_nothing(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--html", "r.html", "--report", "r.json"))
        page = (self.dir / "r.html").read_text()
        namespace = "'http://www.w3.org/2000/svg'"  # a name, not an address
        self.assertEqual(page.count(namespace), 1)
        self.assertNotRegex(page.replace(namespace, ""), r'(?:src|href)\s*=\s*"(?!data:)|url\(|@import|\bfetch\(|XMLHttpRequest|https?://|import\(')
        held = re.search(r'<script type="application/json" id="report">\n(.*?)</script>', page, re.DOTALL).group(1)
        self.assertEqual(json.loads(held), json.loads((self.dir / "r.json").read_text()))
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--html", "again.html"))
        self.assertEqual(page, (self.dir / "again.html").read_text())

    def test_page_that_cannot_be_written(self):
        self.write("plain", "")
        self.assert_refused(1, "plain/r.html: error", "link", "a.vert", "b.frag", "--html", "plain/r.html")

    @NEEDS_BROWSER
    def test_console_is_heard(self):
        self.write("r.html", "<body>")
        self.assertEqual(self.open("r.html", "console.error('heard'); missing();"),
                         ({"error": "ReferenceError: missing is not defined"}, ["heard"]))

    @NEEDS_BROWSER
    def test_one_pipeline(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--html", "r.html"))
        result, console = self.open("r.html", """
            const slots = side => [...document.querySelectorAll('.maps > div')[side].querySelectorAll('.slot:not(.empty)')]
                .map(each => [each.textContent, each.className]);
            result.before = slots(0);
            result.after = slots(1);
            result.batch = document.querySelectorAll('#batch').length;
            result.costs = [...document.querySelectorAll('.costs tbody tr')].map(each => each.textContent);
            result.text = document.querySelector('details:not(.graph)').textContent;""")
        self.assertEqual(console, [])
        self.assertEqual(result["before"][:3], [["color.xkept", "slot kept"], ["color.ykept", "slot kept"],
                                                ["color.zdead", "slot dead"]])
        self.assertEqual(len(result["before"]), 8)
        self.assertEqual(result["after"], [["color.xfrom 0.x", "slot kept"], ["color.yfrom 0.y", "slot kept"]])
        self.assertEqual(result["batch"], 0)
        # The pipeline as a whole, then each stage.
        self.assertRegex(result["costs"][0], r"^pipelinework, of a fragment [\d.]+ times")
        self.assertEqual(result["costs"][2], "instructions2012-40.0 %")
        self.assertIn("nobody reads it", result["text"])

    @NEEDS_BROWSER
    def test_value_graph(self):
        self.write("m.vert", MOVING_VERT)
        self.write("m.frag", MOVING_FRAG)
        self.assert_ok(self.run_cli("link", "m.vert", "m.frag", "--html", "r.html"))
        result, console = self.open("r.html", """
            const labels = kind => [...document.querySelectorAll('.graph g.' + kind + ' text')].map(each => each.textContent);
            for (const kind of ['had', 'back', 'forth', 'gone', 'field', 'use']) result[kind] = labels(kind).sort();
            result.cut = document.querySelectorAll('.graph path.cut').length;
            result.legend = [...document.querySelectorAll('.graph .legend span')].map(each => each.textContent);
            const boxes = [...document.querySelectorAll('.graph rect')].map(each => each.getBBox());
            result.boxes = boxes.length;
            result.overlaps = boxes.filter((a, i) => boxes.some((b, j) => j < i && a.x < b.x + b.width &&
                b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)).length;
            const size = document.querySelector('.graph svg').getBBox(), picture = document.querySelector('.graph svg');
            result.inside = size.x >= 0 && size.y >= 0 && size.width <= picture.clientWidth && size.height <= picture.clientHeight;
            result.after = [...document.querySelectorAll('.maps > div')[1].querySelectorAll('.slot:not(.empty) span')]
                .map(each => each.textContent);""")
        self.assertEqual(console, [])
        self.assertNotIn("error", result)
        self.assertEqual(result["back"], ["+", "+"])
        self.assertEqual(result["forth"], ["2 * ·"])
        self.assertEqual(result["field"], ["0.x  p.x + p.y", "0.y  p.y + p.z"])
        self.assertEqual(result["gone"], ["Sqrt", "p.w"])
        self.assertEqual((result["cut"], result["overlaps"], result["inside"]), (2, 0, True))
        self.assertGreater(result["boxes"], 10)
        self.assertEqual(result["legend"], ["2 moved to vert", "1 moved to frag", "2 not computed any more", "what is sent"])
        self.assertEqual(result["after"], ["p.x + p.y", "computed in vert", "p.y + p.z", "computed in vert"])

    def deep(self):
        """A pair whose values hang together in chains of many operations."""
        steps = "\n".join(f"x = sin(x + {i}.5) * y + z; y = sqrt(abs(y) * look.x);" for i in range(14))
        block = "#version 450\nlayout(set = 0, binding = 0) uniform Block { vec4 look; float f; };\n"
        self.write("m.vert", block + """layout(location = 0) in vec4 p;
            layout(location = 0) out vec4 a;
            layout(location = 1) out vec4 b;
            void main() { gl_Position = p; float x = p.x, y = p.y, z = p.z; """ + steps + " a = vec4(x, y, p.zw); b = vec4(x * f, p.zyx); }")
        self.write("m.frag", block + """layout(location = 0) in vec4 a;
            layout(location = 1) in vec4 b;
            layout(location = 0) out vec4 target;
            void main() { target = vec4(cos(a.x * look.y + b.y), a.zw * look.z, dot(a, b)); }""")
        self.assert_ok(self.run_cli("link", "m.vert", "m.frag", "--html", "r.html", "--report", "r.json"))

    @NEEDS_BROWSER
    def test_deep_graph_fits_into_1280_pixels(self):
        self.deep()
        result, console = self.open("r.html", """
            document.querySelector('.graph').open = true;
            const picture = document.querySelector('.graph .picture'), drawn = document.querySelector('.graph svg');
            result.scrolls = [picture.scrollWidth > picture.clientWidth, document.documentElement.scrollWidth > 1280];
            result.scale = drawn.clientWidth / drawn.viewBox.baseVal.width;
            const boxes = [...document.querySelectorAll('.graph rect')].map(each => each.getBBox());
            result.overlaps = boxes.filter((a, i) => boxes.some((b, j) => j < i && a.x < b.x + b.width &&
                b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)).length;
            result.columns = new Set(boxes.map(each => each.x + '/' + (each.y > 400))).size;""")
        self.assertEqual(console, [])
        self.assertEqual((result["scrolls"], result["overlaps"]), ([False, False], 0))
        self.assertAlmostEqual(result["scale"], 1, 2)
        self.assertGreater(result["columns"], 30)

    @unittest.skipUnless(shutil.which("node"), "needs Node.js")
    def test_layout_of_a_deep_graph(self):
        self.deep()
        page = (self.dir / "r.html").read_text()
        self.write("layout.js", page[page.index("'use strict';"):page.index("const report = JSON.parse")] + """
            const graph = JSON.parse(require('fs').readFileSync('r.json')).pipelines[0].value_graphs[0];
            const {boxes} = boxesOf(graph), size = arrange(boxes);
            const inside = boxes.filter(each => each.x >= 0 && each.y >= 0 && each.x + each.width <= size.width && each.y + BOX <= size.height);
            const overlaps = boxes.filter((a, i) => boxes.some((b, j) => j < i && a.x < b.x + b.width && b.x < a.x + a.width &&
                a.y < b.y + BOX && b.y < a.y + BOX));
            console.log(JSON.stringify({width: size.width, boxes: boxes.length, inside: inside.length, overlaps: overlaps.length,
                columns: Math.max(...boxes.map(each => each.column))}));""")
        run = subprocess.run(["node", "layout.js"], cwd=self.dir, capture_output=True, text=True, timeout=60, check=True)
        layout = json.loads(run.stdout)
        self.assertGreater(layout["columns"], 30)
        self.assertLessEqual(layout["width"], 1200)
        self.assertEqual((layout["inside"], layout["overlaps"]), (layout["boxes"], 0))

    @NEEDS_BROWSER
    def test_a_rise_has_a_sign(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--html", "r.html"))
        result, console = self.open("r.html", "result.changes = [percent(10, 12), percent(0, 3), percent(10, 8), percent(5, 5), percent(0, 0)];")
        self.assertEqual(console, [])
        self.assertEqual(result["changes"], ["+20.0 %", "+3", "-20.0 %", "0.0 %", ""])

    def test_moved_is_not_red(self):
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--html", "r.html"))
        red, green, _ = bytes.fromhex(re.search(r"--moved: #(\w{6})", (self.dir / "r.html").read_text())[1])
        self.assertGreater(green, red)

    def test_large_batches_have_no_graphs(self):
        self.write_pair()
        line = {"stages": {"vert": "a.vert", "frag": "b.frag"}}
        for count, expected in ((2, 2), (101, 0)):
            self.write("m.jsonl", "\n".join(json.dumps({"name": f"p{i}", **line}) for i in range(count)))
            self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-q", "--html", "r.html"))
            self.assertEqual((self.dir / "r.html").read_text().count('"value_graphs":'), expected)

    @NEEDS_BROWSER
    def test_batch_is_sorted_filtered_and_chosen(self):
        self.batch()
        result, console = self.open("r.html", """
            const names = () => [...document.querySelectorAll('#batch tbody tr')].map(each => each.cells[0].textContent);
            const title = () => document.querySelector('#details h1').textContent;
            const press = text => [...document.querySelectorAll('#batch th button')].find(each => each.textContent.startsWith(text)).click();
            result.first = [names(), title()];
            press('gain');
            result.ascending = names();
            press('pipeline');
            result.by_name = names();
            const search = document.querySelector('input');
            search.value = 'sma';
            search.dispatchEvent(new Event('input'));
            result.filtered = names();
            document.querySelector('#batch tbody tr').click();
            result.chosen = [title(), document.querySelectorAll('tr.chosen').length];
            search.value = 'broken';
            search.dispatchEvent(new Event('input'));
            document.querySelector('#batch tbody tr').click();
            result.broken = document.querySelector('#details').textContent;""")
        self.assertEqual(console, [])
        self.assertNotIn("error", result)
        self.assertEqual(result["first"], [["big/gain", "small", "broken"], "big/gain"])
        self.assertEqual(result["ascending"], ["small", "big/gain", "broken"])
        self.assertEqual(result["by_name"], ["big/gain", "broken", "small"])
        self.assertEqual(result["filtered"], ["small"])
        self.assertEqual(result["chosen"], ["small", 1])
        self.assertIn("failed: io", result["broken"])
        self.assertIn("none.frag", result["broken"])

    @NEEDS_BROWSER
    def test_shared_modules(self):
        self.write_pair()
        self.write("flat.frag", FRAG.replace("vec4(color.xy, 0.0, 1.0)", "color"))
        lines = [{"name": name, "stages": {"vert": "a.vert", "frag": frag}}
                 for name, frag in (("one", "b.frag"), ("two", "flat.frag"), ("three", "b.frag"))]
        self.write("m.jsonl", "\n".join(map(json.dumps, lines)))
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-q", "--html", "r.html", "--share", "specialize"))
        result, console = self.open("r.html", """
            const rows = [...document.querySelectorAll('#modules tbody tr')];
            result.vert = rows.slice(0, 2).map(row => [row.cells[0].textContent, row.cells[1].textContent,
                [...row.cells[4].querySelectorAll('button')].map(each => each.textContent)]);
            rows[1].cells[4].querySelector('button').click();
            result.title = document.querySelector('#details h1').textContent;""")
        self.assertEqual(console, [])
        self.assertNotIn("error", result)
        self.assertEqual(result["vert"], [["vert a.vert", "2", ["one", "three"]], ["", "", ["two"]]])
        self.assertEqual(result["title"], "two")

    @NEEDS_BROWSER
    def test_names_never_become_markup(self):
        evil = self.write("</script><img src=x onerror=console.error(1)>.vert", VERT)
        self.assert_ok(self.run_cli("link", evil, "b.frag", "--html", "r.html"))
        result, console = self.open("r.html", "result.images = document.images.length; result.text = page.textContent;")
        self.assertEqual((result["images"], console), (0, []))
        self.assertIn(evil, result["text"])


if __name__ == "__main__":
    unittest.main()
