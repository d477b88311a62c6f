"""Opens a capture without a window and steps through the fragment shader of each draw, from draw FIRST on:

    replay.py CAPTURE FIRST

Prints a line of JSON for each draw as soon as it is done: `files` of the source, the `lines` of it with what RenderDoc shows of the
code there, `names` of variables of the source, and how many `steps` it took. RenderDoc's interpreter does not survive every shader
(an integer division by zero, for one); the lines that are there then tell which. Endless ones are left after MOST_STEPS.
"""

import json
import sys

import renderdoc

MOST_STEPS = 5000
PIXELS = [(x, y) for x in (16, 9, 23, 5, 27) for y in (16, 9, 23, 5, 27)]  # of 32 x 32: one of them is covered


def draws(actions):
    for action in actions:
        if action.flags & renderdoc.ActionFlags.Drawcall:
            yield action
        yield from draws(action.children)


def stepped(controller):
    none = renderdoc.ReplayController.NoPreference
    reflection = controller.GetPipelineState().GetShaderReflection(renderdoc.ShaderStage.Pixel)
    text = controller.DisassembleShader(renderdoc.ResourceId.Null(), reflection, controller.GetDisassemblyTargets(True)[0])
    shown = [""] + text.splitlines()
    lines, names, steps = {}, set(), 0
    for pixel in PIXELS:
        trace = controller.DebugPixel(*pixel, none, none)
        if trace.debugger:
            for info in trace.instInfo:
                at = info.lineInfo
                names |= {variable.name for variable in info.sourceVars}
                if at.fileIndex >= 0:  # records of variables are not shown, and have the place of what is behind them
                    lines[at.disassemblyLine] = at.lineStart
            while steps < MOST_STEPS and (states := controller.ContinueDebug(trace.debugger)):
                steps += len(states)
        controller.FreeTrace(trace)
        if steps:
            break
    return {"files": [file.filename for file in reflection.debugInfo.files], "names": sorted(names), "steps": steps,
            "lines": [(line, shown[place].strip()) for place, line in lines.items()]}


def main(capture, first):
    renderdoc.InitialiseReplay(renderdoc.GlobalEnvironment(), [])
    file = renderdoc.OpenCaptureFile()
    file.OpenFile(capture, "", None)
    status, controller = file.OpenCapture(renderdoc.ReplayOptions(), None)
    if controller is None:
        sys.exit(f"{capture}: {status}")
    for draw in list(draws(controller.GetRootActions()))[int(first):]:
        controller.SetFrameEvent(draw.eventId, True)
        print(json.dumps(stepped(controller)), flush=True)
    controller.Shutdown()
    file.Shutdown()
    renderdoc.ShutdownReplay()


if __name__ == "__main__":
    main(*sys.argv[1:])
