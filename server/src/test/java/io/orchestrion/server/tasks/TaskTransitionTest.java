package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.lifecycle.TransitionTable.Row;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/// The published transitions against the table that the database itself enforces.
class TaskTransitionTest {
    private static final List<Row<WorkState, WorkEvent>> KERNEL =
            TaskDoorSpecs.PROFILE.lifecycle().rowsInOrder();

    private static boolean means(TaskTransition published, Row<WorkState, WorkEvent> row) {
        TaskStatus from = published.from();
        return from != null
                && from == TaskStatus.of(row.from())
                && published.to() == TaskStatus.of(row.to())
                && published.event() == row.event();
    }

    /// T-296.
    @Test
    void every_published_transition_is_one_of_the_kernel() {
        for (TaskTransition published : TaskTransition.ALL) {
            if (published.event() != WorkEvent.SUBMIT) {
                assertThat(KERNEL).as(published.trigger()).anyMatch(row -> means(published, row));
            }
        }
        assertThat(TaskTransition.ALL)
                .extracting(TaskTransition::from)
                .filteredOn(Objects::isNull)
                .hasSize(1);
    }

    /// T-296: a time-out is the only change of status that the kernel allows and this door never
    /// asks for.
    @Test
    void every_change_of_status_in_the_kernel_is_published() {
        assertThat(KERNEL)
                .filteredOn(row -> TaskStatus.of(row.from()) != TaskStatus.of(row.to()))
                .filteredOn(row -> row.event() != WorkEvent.TIME_OUT)
                .allMatch(row -> TaskTransition.ALL.stream().anyMatch(each -> means(each, row)));
    }

    /// T-296.
    @Test
    void a_status_is_terminal_when_all_its_states_are() {
        assertThat(TaskStatus.values())
                .filteredOn(TaskStatus::terminal)
                .containsExactly(
                        TaskStatus.COMPLETED, TaskStatus.DEAD_LETTER, TaskStatus.CANCELLED);
    }
}
