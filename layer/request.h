// A call of the program that creates pipelines or shader objects.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <vector>

#include "decision.h"

namespace varylink::layer {

// Creates what can be linked of linked modules; if the driver does not take these, all is created as the program wants
// it. Nothing that goes wrong here is seen by the program.
class Request {
 public:
  explicit Request(Device& device) : device_(device) {}
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // As Vulkan has it. Once for each request.
  VkResult run();

 protected:
  // Fills decisions(). May throw: then the program's call is made as it came.
  virtual void prepare() = 0;
  // Compilers are called by prepare(), and they recurse: it gets a thread with a deep stack.
  virtual bool is_for_compilers() const = 0;
  // May throw, with whatever was created left to destroy_all().
  virtual VkResult create_linked() = 0;
  virtual VkResult create_original() = 0;
  // Whether the driver gave what decisions()[index] is about: a call may leave handles null and succeed.
  virtual bool is_created(std::size_t index) const = 0;
  // All that create_linked() has created.
  virtual void destroy_all() = 0;

  Device& device() const { return device_; }
  std::vector<Decision>& decisions() { return decisions_; }

 private:
  bool is_prepared();
  bool creates_linked(VkResult& result);
  void report(bool refused, double driver_ms);

  Device& device_;
  std::vector<Decision> decisions_;
};

}  // namespace varylink::layer
