package io.orchestrion.kernel.schedule;

import java.util.UUID;

/// A stored schedule.
///
/// @param anchorMs what a fixed distance is counted from
record Schedule(
        UUID accountId,
        UUID id,
        ScheduleDefinition definition,
        long anchorMs,
        boolean paused,
        Progress progress,
        long createdMs,
        long updatedMs) {

    FireTimes times() {
        return definition.timing().times(anchorMs);
    }
}
