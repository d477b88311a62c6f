"""Real programs to run with and without the layer, as data. program_runs.py runs them.

The small ones run in every test run (programs_test.py), the large ones by hand (programs.py).
"""

import dataclasses

QT_QUICK = """
import QtQuick
import QtQuick.Window
import Qt5Compat.GraphicalEffects
Window {
  visible: true; width: 200; height: 150; color: "#203040"
  Rectangle {
    id: box; x: 10; y: 10; width: 60; height: 40; radius: 9; border.width: 3; border.color: "white"
    gradient: Gradient { GradientStop { position: 0; color: "red" } GradientStop { position: 1; color: "blue" } }
  }
  Text { id: word; x: 80; y: 20; text: "Varylink"; color: "yellow"; font.pixelSize: 24; style: Text.Outline; styleColor: "black" }
  Text { x: 80; y: 50; text: "native"; color: "white"; renderType: Text.NativeRendering }
  Rectangle { x: 10; y: 70; width: 60; height: 60; clip: true; rotation: 20
    Rectangle { x: 30; y: 30; width: 60; height: 60; color: "orange"; opacity: 0.5; layer.enabled: true } }
  DropShadow { anchors.fill: word; source: word; radius: 6; samples: 13; color: "black"; horizontalOffset: 3 }
  ConicalGradient { x: 70; y: 70; width: 40; height: 40
    gradient: Gradient { GradientStop { position: 0; color: "white" } GradientStop { position: 1; color: "green" } } }
  GaussianBlur { x: 140; y: 60; width: 50; height: 40; source: box; radius: 4; samples: 9 }
  Colorize { x: 140; y: 105; width: 50; height: 40; source: box; hue: 0.5 }
  Rectangle {
    x: 100; y: 80; width: 50; height: 50; color: "#8000ff00"; antialiasing: true
    NumberAnimation on rotation { from: 0; to: 90; duration: 150 }
    onRotationChanged: if (rotation >= 90) Qt.quit()
  }
}
"""

# A page that draws the same in every run: no clock, no chance.
THREE_PAGE = """<!doctype html><body style="margin:0"><script src="three.min.js"></script><script>
const renderer = new THREE.WebGLRenderer({antialias: true, preserveDrawingBuffer: true});
renderer.setSize(480, 360);
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(50, 4 / 3, 0.1, 50);
scene.background = new THREE.Color(0x334455);
scene.fog = new THREE.Fog(0x334455, 6, 20);
camera.position.set(0, 2, 8);
camera.lookAt(0, 0, 0);
const sun = new THREE.DirectionalLight(0xffffff, 2), lamp = new THREE.PointLight(0xff8844, 20), spot = new THREE.SpotLight(0x4488ff, 40);
sun.position.set(3, 5, 4); sun.castShadow = true; lamp.position.set(-3, 2, 2); spot.position.set(0, 5, 0);
scene.add(sun, lamp, spot, new THREE.HemisphereLight(0x8899ff, 0x443322, 1));
const pixels = new Uint8Array(64 * 64 * 4).map((_, i) => i % 4 == 3 ? 255 : (i * 37 ^ i >> 6) & 255);
const map = new THREE.DataTexture(pixels, 64, 64);
map.needsUpdate = true;
const materials = [
  new THREE.MeshStandardMaterial({map, roughness: 0.4, metalness: 0.5}), new THREE.MeshPhysicalMaterial({color: 0xcc2222, clearcoat: 1, sheen: 1}),
  new THREE.MeshPhongMaterial({map, bumpMap: map, shininess: 60}), new THREE.MeshLambertMaterial({vertexColors: false, color: 0x22cc66}),
  new THREE.MeshNormalMaterial(), new THREE.MeshMatcapMaterial({matcap: map}),
  new THREE.MeshBasicMaterial({map, transparent: true, opacity: 0.6}), new THREE.MeshPhysicalMaterial({transmission: 0.8, thickness: 1, roughness: 0.1}),
  new THREE.MeshStandardMaterial({normalMap: map, flatShading: true})];
materials.forEach((material, i) => {
  const mesh = new THREE.Mesh(i % 2 ? new THREE.TorusKnotGeometry(0.4, 0.15, 64, 12) : new THREE.SphereGeometry(0.6, 24, 16), material);
  mesh.position.set(i % 5 * 1.6 - 3.2, i < 5 ? 1 : -0.6, 0);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
});
const floor = new THREE.Mesh(new THREE.PlaneGeometry(20, 20), new THREE.MeshStandardMaterial({color: 0x888888}));
floor.rotation.x = -Math.PI / 2; floor.position.y = -1.5; floor.receiveShadow = true;
const crowd = new THREE.InstancedMesh(new THREE.BoxGeometry(0.2, 0.2, 0.2), new THREE.MeshPhongMaterial(), 40);
for (let i = 0; i < 40; ++i) crowd.setMatrixAt(i, new THREE.Matrix4().makeTranslation(i % 10 - 4.5, -1.3, 2 - (i / 10 | 0)));
const points = new THREE.Points(new THREE.SphereGeometry(3, 16, 12), new THREE.PointsMaterial({size: 0.06, map}));
const lines = new THREE.LineSegments(new THREE.WireframeGeometry(new THREE.BoxGeometry(7, 4, 1)), new THREE.LineDashedMaterial());
scene.add(floor, crowd, points, lines, new THREE.Sprite(new THREE.SpriteMaterial({map})));
for (let i = 0; i < 3; ++i) renderer.render(scene, camera);
</script>"""

# Pictures of what the window shows of the first five frames, each while the video stands still.
MPV_SCRIPT = """
local count, is_ready = 0, false
local function show()
  mp.commandv("screenshot-to-file", mp.get_opt("folder") .. "/pictures/" .. count .. ".png", "window")
  count = count + 1
  mp.commandv(count < 5 and "frame-step" or "quit")
end
mp.register_event("playback-restart", function() if not is_ready then is_ready = true; show() end end)
mp.observe_property("pause", "bool", function(_, is_paused) if is_ready and is_paused then show() end end)
"""


@dataclasses.dataclass(frozen=True)
class Program:
    """In words of `command`, {folder} is a folder that holds `files`, for this program alone, and {device} the device's name.

    `frames_by` says how the same frames come about again: "gfxreconstruct" and "apitrace" record the calls of one run and
    play them with and without the layer; "pictures" runs the program itself, which writes to {folder}/pictures.
    """

    packages: tuple  # of Debian
    command: tuple
    frames_by: str
    least_frames: int
    variables: dict = dataclasses.field(default_factory=dict)
    files: dict = dataclasses.field(default_factory=dict)
    npm: dict = dataclasses.field(default_factory=dict)  # name of a file -> (package, path in it)
    seconds: int = 0  # until it is ended; 0: it ends by itself
    options: tuple = ()  # of `varylink run`
    # How far a channel of a frame may be off, of 255. A constant that crossed is exact now: docs/legality.md, R-4.18.
    rounding: int = 0
    is_large: bool = False


GLMARK2_SCENES = ("build:use-vbo=true", "texture", "shading:shading=gouraud", "shading:shading=phong", "bump:bump-render=high-poly",
                  "bump:bump-render=normals", "bump:bump-render=height", "effect2d", "pulsar:light=true", "desktop:effect=blur", "buffer",
                  "ideas", "jellyfish", "shadow", "refract", "conditionals:fragment-steps=5:vertex-steps=5",
                  "function:fragment-steps=5", "loop:fragment-steps=5:vertex-steps=5")

PROGRAMS = {
    "vkcube": Program(("vulkan-tools", "gfxreconstruct"), ("vkcube", "--c", "8", "--width", "128", "--height", "128"), "gfxreconstruct", 8),
    "Qt Quick": Program(
        ("qml-qt6", "qml6-module-qt5compat-graphicaleffects", "qml6-module-qtqml-workerscript", "qml6-module-qtquick", "qml6-module-qtquick-window", "gfxreconstruct"),
        ("/usr/lib/qt6/bin/qml", "{folder}/items.qml"), "gfxreconstruct", 8,
        {"QSG_RHI_BACKEND": "vulkan", "QSG_RENDER_LOOP": "basic", "QSG_FIXED_ANIMATION_STEP": "1", "QT_QPA_PLATFORM": "xcb"},
        {"items.qml": QT_QUICK}),
    "glmark2 on zink": Program(
        ("glmark2-x11", "apitrace"),
        ("glmark2", "--size", "96x96", "-b", ":nframes=2", *(word for scene in GLMARK2_SCENES for word in ("-b", scene))),
        "apitrace", 2 * len(GLMARK2_SCENES), rounding=1),
    "SuperTuxKart": Program(
        ("supertuxkart", "gfxreconstruct"),
        ("/usr/games/supertuxkart", "--render-driver=vulkan", "--no-start-screen", "--track=lighthouse", "--profile-time=20",
         "--screensize=320x240", "--no-sound"), "gfxreconstruct", 20, {"SDL_AUDIODRIVER": "dummy"}, seconds=90, rounding=1, is_large=True),
    "Warzone 2100": Program(
        ("warzone2100", "gfxreconstruct"),
        ("/usr/games/warzone2100", "--gfxbackend=vulkan", "--nosound", "--window", "--resolution=640x480", "--autogame",
         "--skirmish=highground.json"),
        # Recording makes it slow to load: minutes pass until it is in play.
        "gfxreconstruct", 20, {"SDL_AUDIODRIVER": "dummy"}, seconds=400, rounding=1, is_large=True),
    "mpv": Program(
        ("mpv", "vulkan-tools"),
        ("mpv", "--no-config", "--vo=gpu", "--gpu-api=vulkan", "--vulkan-device={device}", "--profile=gpu-hq", "--deband=no", "--dither=no", "--ao=null", "--no-osc",
         "--osd-level=0", "--pause", "--geometry=300x200", "--script={folder}/pictures.lua", "--script-opts=folder={folder}",
         "av://lavfi:testsrc2=duration=3:size=160x120:rate=10"),
        # mpv 0.35 draws what it finds in memory that nothing wrote, so that pictures depend on all that ran before.
        "pictures", 5, {"MALLOC_PERTURB_": "1"}, {"pictures.lua": MPV_SCRIPT}, is_large=True),
    "neverball on zink": Program(
        ("neverball", "apitrace"), ("/usr/games/neverball",), "apitrace", 20, {"SDL_AUDIODRIVER": "dummy"}, seconds=25, is_large=True),
    "Chromium with three.js": Program(
        ("chromium",),
        ("chromium", "--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--use-angle=vulkan", "--enable-features=Vulkan",
         "--ignore-gpu-blocklist", "--allow-file-access-from-files", "--window-size=500,500", "--user-data-dir={folder}/profile",
         "--virtual-time-budget=20000", "--screenshot={folder}/pictures/page.png", "file://{folder}/page.html"),
        "pictures", 1, files={"page.html": THREE_PAGE}, npm={"three.min.js": ("three@0.160.0", "package/build/three.min.js")},
        is_large=True),
}

# Folders of piglit's shader tests -> how many of a small and of a large run. Tests that only compile or link draw nothing.
PIGLIT_FOLDERS = {
    # vertex and fragment
    "tests/spec/glsl-1.10/execution": (8, 150), "tests/spec/glsl-1.20/execution": (6, 75),
    "tests/spec/glsl-1.30/execution": (8, 130), "generated_tests/spec/glsl-1.30/execution/interpolation": (6, 100),
    "generated_tests/spec/glsl-1.10/execution/variable-indexing": (6, 150),
    "generated_tests/spec/glsl-4.00/execution/inout": (4, 80), "tests/spec/arb_gpu_shader_fp64/execution": (2, 50),
    "generated_tests/spec/glsl-1.30/execution/built-in-functions": (2, 150),
    # geometry
    "tests/spec/glsl-1.50/execution": (18, 120), "generated_tests/spec/glsl-1.50/execution/built-in-functions": (2, 150),
    # tessellation
    "tests/spec/arb_tessellation_shader/execution": (16, 110),
    "generated_tests/spec/arb_tessellation_shader/execution": (6, 250),
    # components of a location, in all stages; transform feedback
    "tests/spec/arb_enhanced_layouts/execution": (6, 22), "tests/spec/arb_gl_spirv/execution/xfb": (10, 15),
    "tests/spec/arb_gpu_shader5": (0, 140), "tests/spec/arb_separate_shader_objects": (0, 20),
    "generated_tests/spec/arb_gpu_shader_fp64/execution": (0, 250), "tests/spec/arb_gl_spirv/execution": (0, 90),
    "tests/spec/arb_arrays_of_arrays": (0, 40), "tests/spec/arb_shader_storage_buffer_object": (0, 20),
    "generated_tests/spec/arb_shader_precision": (0, 90),
}
# Tests that take lavapipe up to some minutes, or end in it.
PIGLIT_SLOW = ("tests/spec/glsl-1.50/execution/variable-indexing/", "tests/spec/arb_tessellation_shader/execution/variable-indexing/")
# A test draws its triangles once, so that geometry and tessellation can be linked.
PIGLIT_OPTIONS = ("--hide-libraries", "--assume-single-pass")
