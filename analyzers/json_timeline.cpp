#include "analyzers/json_timeline.h"

namespace kvprof::analyzers {

Json timelines_object(const std::vector<StepTimeline>& timelines) {
    Json list = Json::array();
    for (const StepTimeline& one : timelines) {
        list.push_back(
            {{"side", one.side},
             {"run", one.run},
             {"step", one.step},
             {"name", one.step_name},
             {"place", one.place},
             {"kept", one.kept},
             {"wall_ns", whole(one.wall)},
             {"kernel_time_ns", whole(one.kernel_time)},
             {"gaps_ns", whole(one.gaps)},
             {"kernels", one.kernels},
             {"lanes", one.lanes.size()}}
        );
    }
    return list;
}

} // namespace kvprof::analyzers
