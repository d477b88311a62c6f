// Has naga translate modules: `node naga.mjs PACKAGE wgsl|msl|hlsl`, PACKAGE being the folder of the npm package naga-wasm.
//
// Each line of the input is JSON, {"module": FILE, "output": FILE}; each is answered by a line, empty if naga takes the module.
// Ends at the first that naga does not survive, which gets no answer.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, target] = process.argv.slice(2);
const naga = await import(pathToFileURL(`${folder}/dist/node.js`));
const write = { wgsl: naga.writeWgsl, msl: naga.writeMsl, hlsl: naga.writeHlsl }[target];

function translate({ module: file, output }) {
  const module = naga.parseSpirv(readFileSync(file));
  try {
    const info = naga.validate(module);
    try {
      writeFileSync(output, write(module, info));
    } finally {
      info.free();
    }
  } finally {
    module.free();
  }
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let answer = "";
  try {
    translate(JSON.parse(line));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) process.exit(0);
    answer = `${error.kind ?? "error"}: ${(error.formatted ?? String(error)).split("\n").filter(Boolean).join("; ")}`;
  }
  console.log(answer);
}
