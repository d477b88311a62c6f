#include "records.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace varylink::layer {
namespace {

// What the first word of a dispatchable handle points to is the same for an object and all that it hands out.
const void* dispatch_key(const void* handle) { return *static_cast<void* const*>(handle); }

template <typename Record>
class Records {
 public:
  void add(std::shared_ptr<Record> record) {
    const void* key = dispatch_key(record->handle);
    const std::unique_lock lock(mutex_);
    records_[key] = std::move(record);
  }
  std::shared_ptr<Record> find(const void* handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = records_.find(dispatch_key(handle));
    return found == records_.end() ? nullptr : found->second;
  }
  std::vector<std::shared_ptr<Record>> all() const {
    std::vector<std::shared_ptr<Record>> list;
    const std::shared_lock lock(mutex_);
    for (const auto& [key, record] : records_) list.push_back(record);
    return list;
  }
  void remove(const void* handle) {
    const std::unique_lock lock(mutex_);
    records_.erase(dispatch_key(handle));
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<const void*, std::shared_ptr<Record>> records_;
};

// Never destroyed: programs call Vulkan while they end, when destructors of statics have run.
Records<Instance>& instances() {
  static auto* records = new Records<Instance>;
  return *records;
}
Records<Device>& devices() {
  static auto* records = new Records<Device>;
  return *records;
}

}  // namespace

void add_instance(std::shared_ptr<Instance> instance) { instances().add(std::move(instance)); }
std::shared_ptr<Instance> find_instance(const void* handle) { return instances().find(handle); }
void remove_instance(const void* handle) { instances().remove(handle); }
void add_device(std::shared_ptr<Device> device) { devices().add(std::move(device)); }
std::shared_ptr<Device> find_device(const void* handle) { return devices().find(handle); }
void remove_device(const void* handle) { devices().remove(handle); }

std::vector<std::shared_ptr<Device>> devices_of(const Instance& instance) {
  std::vector<std::shared_ptr<Device>> list = devices().all();
  std::erase_if(list, [&](const std::shared_ptr<Device>& each) { return each->instance.get() != &instance; });
  return list;
}

}  // namespace varylink::layer
