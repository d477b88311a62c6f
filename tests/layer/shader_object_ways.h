// Ways to draw with shader objects (VK_EXT_shader_object).
#pragma once

#include <string>

// Draws in the way of that name, and writes the image to `frame`; `destroys`: leaves nothing. False: there is no such
// way. Ends the process if the driver has no shader objects.
bool draw_shader_objects(const std::string& way, const std::string& folder, const std::string& frame, bool destroys);
