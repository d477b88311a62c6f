#!/usr/bin/env python3
"""Links GL programs with the system's driver, in a context that shows nothing.

    tests/gl_link.py gl < programs.jsonl        # or es

A line {"vert": "a.vert", "frag": "a.frag"} names the sources of one program; a line of answer is "" if the driver compiles
and links it, else the first line of what it says. A driver may die of a program: who asks starts this again behind it.
Exit status 77 where no context can be made.
"""
import ctypes
import json
import os
import sys

SKIPPED = 77
EGL = {"NONE": 0x3038, "OPENGL_API": 0x30A2, "OPENGL_ES_API": 0x30A0, "MAJOR": 0x3098, "MINOR": 0x30FB,
       "PROFILE_MASK": 0x30FD, "CORE": 1, "RENDERABLE_TYPE": 0x3040, "ES3_BIT": 0x40, "OPENGL_BIT": 8,
       "SURFACELESS_MESA": 0x31DD, "SURFACE_TYPE": 0x3033}
KINDS = {"vert": 0x8B31, "frag": 0x8B30, "geom": 0x8DD9, "tesc": 0x8E88, "tese": 0x8E87}
COMPILE_STATUS, LINK_STATUS = 0x8B81, 0x8B82


class Driver:
    def __init__(self, api):
        os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
        self.egl = ctypes.CDLL("libEGL.so.1")
        self.egl.eglGetProcAddress.restype = ctypes.c_void_p
        self.make_current(api)

    def make_current(self, api):
        egl = self.egl
        egl.eglGetDisplay.restype = egl.eglCreateContext.restype = ctypes.c_void_p
        get_platform_display = self.function("eglGetPlatformDisplay", ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p,
                                             ctypes.c_void_p)
        display = ctypes.c_void_p(get_platform_display(EGL["SURFACELESS_MESA"], None, None))
        is_es = api == "es"
        config, count = ctypes.c_void_p(), ctypes.c_int()
        wanted = (ctypes.c_int * 5)(EGL["RENDERABLE_TYPE"], EGL["ES3_BIT" if is_es else "OPENGL_BIT"], EGL["SURFACE_TYPE"], 0,
                                     EGL["NONE"])
        versions = [(3, 2), (3, 1), (3, 0)] if is_es else [(4, 6), (4, 5), (3, 3)]
        good = egl.eglInitialize(display, None, None)
        good = good and egl.eglBindAPI(EGL["OPENGL_ES_API" if is_es else "OPENGL_API"])
        good = good and egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count)) and count.value
        for major, minor in versions if good else []:
            words = [EGL["MAJOR"], major, EGL["MINOR"], minor]
            words += [] if is_es else [EGL["PROFILE_MASK"], EGL["CORE"]]
            context = egl.eglCreateContext(display, config, None, (ctypes.c_int * 8)(*words, EGL["NONE"]))
            if context and egl.eglMakeCurrent(display, None, None, ctypes.c_void_p(context)):
                return
        raise OSError("no context")

    def function(self, name, result, *arguments):
        return ctypes.CFUNCTYPE(result, *arguments)(self.egl.eglGetProcAddress(name.encode()))

    def call(self, name, result=ctypes.c_uint, *arguments):
        kinds = [type(one) if isinstance(one, ctypes._SimpleCData) else ctypes.c_void_p for one in arguments]
        return self.function(name, result, *kinds)(*arguments)

    def log(self, of, handle):
        text = ctypes.create_string_buffer(4096)
        self.call(f"glGet{of}InfoLog", None, ctypes.c_uint(handle), ctypes.c_int(4096), None, text)
        return text.value.decode(errors="replace").strip()

    def has(self, of, handle, status):
        value = ctypes.c_int()
        self.call(f"glGet{of}iv", None, ctypes.c_uint(handle), ctypes.c_uint(status), ctypes.byref(value))
        return value.value != 0

    def objection(self, stages):
        program, shaders = self.call("glCreateProgram"), []
        try:
            for stage, path in stages.items():
                if stage not in KINDS:
                    return f"no {stage} stage"
                shader = self.call("glCreateShader", ctypes.c_uint, ctypes.c_uint(KINDS[stage]))
                shaders.append(shader)
                with open(path, "rb") as file:
                    text = (ctypes.c_char_p * 1)(file.read())
                self.call("glShaderSource", None, ctypes.c_uint(shader), ctypes.c_int(1), text, None)
                self.call("glCompileShader", None, ctypes.c_uint(shader))
                if not self.has("Shader", shader, COMPILE_STATUS):
                    return f"{stage}: {self.log('Shader', shader)}"
                self.call("glAttachShader", None, ctypes.c_uint(program), ctypes.c_uint(shader))
            self.call("glLinkProgram", None, ctypes.c_uint(program))
            return "" if self.has("Program", program, LINK_STATUS) else f"link: {self.log('Program', program)}"
        finally:
            self.call("glDeleteProgram", None, ctypes.c_uint(program))
            for shader in shaders:
                self.call("glDeleteShader", None, ctypes.c_uint(shader))


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ("gl", "es"):
        sys.exit(__doc__)
    try:
        driver = Driver(sys.argv[1])
    except (OSError, TypeError, ValueError):
        sys.exit(SKIPPED)
    for line in sys.stdin:
        said = driver.objection(json.loads(line))
        print(said.splitlines()[0] if said else "", flush=True)


if __name__ == "__main__":
    main()
