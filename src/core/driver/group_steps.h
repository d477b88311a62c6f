// The steps of linking a group (link_group.h) in their order, one source file each. All work on its records.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "driver/group_records.h"

namespace varylink::driver {

// open_group.cpp: The first step of linking a group: which of its modules and pipelines can be worked on.

// Reads and validates every module and checks that the stages of each pipeline fit together; a pipeline that does not
// is rejected with the reason. Says which modules have to stay as they came, and gives the interfaces that the others
// share; `left_alone` are modules that have to beside those, with the reasons. `group` and `options` must outlive the
// result, whose records do not move any more: links point into them.
GroupRecords open_group(const link::GroupInput& group, const link::LinkOptions& options,
                        const std::map<std::size_t, std::string>& left_alone);

// link_interfaces.cpp: The second step of linking a group: its stages are prepared, scalarized, optimized and
// vectorized.

// May be empty; see link_group.
using InterfaceObserver = std::function<void(const link::Link& link, bool linked)>;

// Links all interfaces of an admitted group, in the modules of its records. Returns false if a pass failed; all
// pipelines are rejected then.
bool link_interfaces(GroupRecords& group, const InterfaceObserver& observe);

// Declares the varyings of both sides where placement put them (Link::placement, Link::packed), as vectors again. The
// stages are no longer scalarized then. Nothing if the varyings were not placed.
void vectorize(link::Link& link);

// write_group.cpp: The third step of linking a group: modules become words again, and the words are checked.

// Writes the modules of linked interfaces into the records. A module whose interfaces stay as they are is passed
// through word for word. Results are validated and compared with the input; a pipeline with one that fails is rejected,
// and a module that only such pipelines use is not handed out. False if some module cannot be written
// (ModuleRecord::unwritable) and the group has to be linked without it.
bool write_group(GroupRecords& group);

// The results are the words that came in.
void pass_group_through(GroupRecords& group);

// The same for the pipelines with modules that cannot be read.
void pass_unread_through(GroupRecords& group);

// With LinkOptions::keep_spec_ids: declares the specialization constants that have become constants once more in the
// results. Nothing uses them, so that the checks still hold.
void keep_spec_ids(GroupRecords& group);

// restore_originals.cpp: Modules that linking need not have written anew: they are written as they came (rule ).

// Once all results are there. A module of whose varyings nothing went gets the input's words again, with the locations
// of the result, if
// - it has fewer functions and more code than the input: they were written out only to look at them; or
// - it has the locations of the input, and nothing is known of its pipelines' state that makes its code simpler.
// Not if a check then finds anything.
void restore_originals(GroupRecords& group);

// report_group.cpp: The last step of linking a group: writes the outcome of every component into the pipelines'
// results.

// Reports pipelines whose interfaces were linked and written.
void report_linked(GroupRecords& group);

// Reports pipelines that are passed through as they came.
void report_passed_through(GroupRecords& group);

// Takes the results out of the records.
link::LinkedGroup take_results(GroupRecords& group);

// assumptions.cpp: Facts about the pipelines around them that the results of a group rely on.

// Fills in the assumptions of every pipeline that did not fail. To be called when all modules have their result.
// Facts that analyses ask for all over are assumed as soon as a module is written anew, whether or not they mattered.
void record_assumptions(GroupRecords& group, const link::GroupInput& input);

}  // namespace varylink::driver
