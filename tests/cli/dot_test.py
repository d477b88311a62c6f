"""The graph of link --dot: read back here, and by Graphviz where that is installed."""

import json
import re
import shutil
import subprocess
import unittest

from harness import FRAG, MOVING_FRAG, MOVING_VERT, VERT, CliTest

DOT = shutil.which("dot")


class Graph:
    """What a DOT text of ours says: nodes and edges with their attributes, by cluster where they have one."""

    def __init__(self, text):
        self.nodes, self.edges, self.fields, cluster = {}, [], {}, None
        assert text.count("{") == text.count("}"), text
        for line in text.splitlines():
            line = line.strip()
            if opened := re.match(r"subgraph cluster_i\d+(\w+) \{$", line):
                cluster = opened.group(1)
            elif line == "}":
                cluster = None
            elif edge := re.match(r"(\w+)(?::(\w+))? -> (\w+)(?::(\w+))?(?: \[(.*)\])?;$", line):
                self.edges.append(((edge.group(1), edge.group(2)), (edge.group(3), edge.group(4)), edge.group(5) or ""))
            elif node := re.match(r"(i\d+\w+) \[(.*)\];$", line):
                self.nodes[node.group(1)] = (cluster, node.group(2))
                for port, name, fate in re.findall(r'port="(\w+)"[^>]*>([^<]*)<br/>(\w+)', node.group(2)):
                    self.fields[node.group(1), port] = (name, fate)

    def labelled(self, text, cluster):
        return [name for name, (place, attributes) in self.nodes.items()
                if place == cluster and text in re.search(r'label="(.*?)"', attributes).group(1)]

    def cut(self):
        """(label of what is sent, name of the field that carries it)"""
        return sorted((re.search(r'label="(.*?)"', self.nodes[start[0]][1]).group(1), self.fields[end][0])
                      for start, end, attributes in self.edges if "penwidth=2" in attributes)


class Dot(CliTest):
    def link(self, *arguments):
        self.assert_ok(self.run_cli("link", *arguments, "--dot", "g.dot", "-q"))
        text = (self.dir / "g.dot").read_text()
        if DOT:
            drawn = subprocess.run([DOT, "-Tsvg", self.dir / "g.dot"], capture_output=True, text=True, check=True)
            self.assertEqual(drawn.stderr, "")
            self.assertIn("<svg", drawn.stdout)
        return text

    def test_values_move_both_ways(self):
        self.write("m.vert", MOVING_VERT)
        self.write("m.frag", MOVING_FRAG)
        text = self.link("m.vert", "m.frag")
        graph = Graph(text)
        for start, end, _ in graph.edges:
            for name, port in (start, end):
                self.assertIn(name, graph.nodes)
                self.assertTrue(port is None or (name, port) in graph.fields, (name, port))
        self.assertEqual(len(graph.labelled("+ (moved to vert)", "producer")), 2)
        self.assertEqual(len(graph.labelled("* (moved to frag)", "consumer")), 1)
        self.assertEqual(graph.labelled("moved", "consumer"), graph.labelled("* (moved to frag)", "consumer"))
        gone = graph.labelled("Sqrt", "producer")
        self.assertIn("style=dashed", graph.nodes[gone[0]][1])
        self.assertEqual(graph.cut(), [("+ (moved to vert)", "p.x + p.y"), ("+ (moved to vert)", "p.y + p.z")])
        before = {name: fate for (node, _), (name, fate) in graph.fields.items() if node == "i0before"}
        self.assertEqual(before, {"abc.x": "moved", "abc.y": "moved", "abc.z": "moved", "glow": "uniform",
                                  "unread": "dead"})
        self.assertIn("label=\"u.strength\"", text)
        self.assertEqual(text, self.link("m.vert", "m.frag"))

    def test_what_stays_is_not_marked(self):
        self.write("m.vert", MOVING_VERT)
        self.write("m.frag", MOVING_FRAG)
        graph = Graph(self.link("m.vert", "m.frag", "--passes", "assign-locations"))
        self.assertEqual(graph.labelled("moved", "producer") + graph.labelled("moved", "consumer"), [])
        self.assertEqual([name for _, name in graph.cut()], ["glow", "unread", "abc.x", "abc.y", "abc.z"])

    def test_every_interface_of_a_pipeline(self):
        self.write("a.vert", VERT)
        self.write("b.geom", """#version 450
            layout(triangles) in;
            layout(triangle_strip, max_vertices = 3) out;
            layout(location = 0) in vec4 color[];
            layout(location = 0) out vec4 result;
            void main() {
              for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; result = color[i] * 0.5; EmitVertex(); }
            }""")
        self.write("c.frag", FRAG.replace("color", "result").replace("out vec4 result", "out vec4 o")
                   .replace("result = vec4", "o = vec4"))
        graph = Graph(self.link("a.vert", "b.geom", "c.frag"))
        self.assertEqual({name for name, _ in graph.fields if name.startswith(("i0", "i1"))},
                         {"i0before", "i0after", "i1before", "i1after"})

    def test_one_graph_per_pipeline_of_a_manifest(self):
        self.write_pair()
        lines = [{"name": 'odd "name"', "stages": {"vert": "a.vert", "frag": "b.frag"}},
                 {"name": "broken", "stages": {"vert": "a.vert", "frag": "none.frag"}}]
        self.write("m.jsonl", "\n".join(map(json.dumps, lines)))
        self.assertEqual(self.run_cli("link", "--manifest", "m.jsonl", "-q", "--dot", "g.dot").status, 1)
        text = (self.dir / "g.dot").read_text()
        self.assertEqual(re.findall(r"^digraph (.*) \{$", text, re.MULTILINE), ['"odd \\"name\\""', '"broken"'])
        self.assertIn("not linked", text)

    def test_nothing_to_draw(self):
        self.write_pair()
        self.assertIn("no interface that is worked on", self.link("a.vert", "b.frag", "-O0"))


if __name__ == "__main__":
    unittest.main()
