package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.Collectors;

/// Part 7 of the spec written out: which changes each profile's items may go through.
class ProfileLifecycleTest {
    private static void assertLifecycle(Profile profile, String expected) {
        String actual =
                profile.lifecycle().rowsInOrder().stream()
                        .map(
                                row ->
                                        row.from().word()
                                                + " "
                                                + row.event().word()
                                                + " "
                                                + row.to().word())
                        .sorted()
                        .collect(Collectors.joining("\n"));
        assertThat(actual)
                .isEqualTo(
                        Arrays.stream(expected.split("\n"))
                                .map(line -> line.strip().replaceAll(" +", " "))
                                .sorted()
                                .collect(Collectors.joining("\n")));
    }

    @Test
    void tasks_go_back_or_die_and_a_held_one_is_cancelled_by_force() {
        assertLifecycle(
                Profiles.TASKS,
                """
                waiting promote  ready
                ready   lease    running
                running complete succeeded
                running fail     ready
                running fail     waiting
                running fail     dead
                running expire   ready
                running expire   dead
                running time_out dead
                waiting cancel   cancelled
                ready   cancel   cancelled
                running cancel   cancelled
                waiting give_up  cancelled
                ready   give_up  cancelled
                running give_up  cancelled
                dead    reopen   ready
                ready   hold     waiting
                waiting hold     waiting
                waiting release  ready
                waiting release  waiting
                """);
    }

    @Test
    void queue_items_also_fail_for_good_wait_after_an_expiry_and_are_asked_to_stop() {
        assertLifecycle(
                Profiles.QUEUE,
                """
                waiting promote  ready
                ready   lease    running
                running complete succeeded
                running fail     ready
                running fail     waiting
                running fail     failed
                running fail     dead
                running expire   waiting
                running expire   dead
                running time_out dead
                waiting cancel   cancelled
                ready   cancel   cancelled
                running cancel   cancelled
                running ask_cancel running
                dead    reopen   ready
                ready   hold     waiting
                waiting hold     waiting
                waiting release  ready
                waiting release  waiting
                """);
    }

    @Test
    void jobs_show_their_assignment_and_are_retried_on_request_only() {
        assertLifecycle(
                Profiles.JOBS,
                """
                waiting promote  ready
                ready   lease    leased
                leased  start    running
                leased  expire   ready
                running complete succeeded
                running fail     failed
                running expire   failed
                running time_out failed
                failed  retry    waiting
                waiting cancel   cancelled
                ready   cancel   cancelled
                leased  cancel   cancelled
                running cancel   cancelled
                """);
    }

    private static final String ONE_ATTEMPT =
            """
            waiting promote  ready
            ready   lease    running
            running complete succeeded
            running fail     failed
            running expire   failed
            running time_out failed
            waiting cancel   cancelled
            ready   cancel   cancelled
            running cancel   cancelled
            ready   hold     waiting
            waiting hold     waiting
            waiting release  ready
            waiting release  waiting
            waiting give_up  failed
            ready   give_up  failed
            running give_up  failed
            """;

    private static final String LATE_REPORTS =
            """
            succeeded late_report succeeded
            failed    late_report failed
            cancelled late_report cancelled
            """;

    @Test
    void steps_and_builtin_work_have_one_attempt_and_leave_the_rest_to_their_owner() {
        assertLifecycle(Profiles.STEPS, ONE_ATTEMPT + LATE_REPORTS);
        assertLifecycle(Profiles.BUILTIN, ONE_ATTEMPT + LATE_REPORTS);
    }

    @Test
    void drivers_are_taken_over_when_their_holder_is_gone() {
        assertLifecycle(
                Profiles.DRIVERS,
                ONE_ATTEMPT.replace("running expire   failed", "running expire   ready"));
    }

    @Test
    void timers_only_wait_and_end() {
        assertLifecycle(
                Profiles.TIMERS,
                """
                waiting complete succeeded
                waiting cancel   cancelled
                waiting hold     waiting
                waiting release  waiting
                """);
        assertThat(Profiles.ALL)
                .as("a queue has timers or work that is claimed, never both")
                .filteredOn(other -> other.queue().equals(Profiles.TIMERS.queue()))
                .containsExactly(Profiles.TIMERS);
    }

    @Test
    void the_parameters_are_those_of_the_spec() {
        String actual =
                Profiles.ALL.stream()
                        .map(
                                p ->
                                        String.join(
                                                " ",
                                                p.name(),
                                                p.queue(),
                                                bounds(p.lease().seconds()),
                                                p.lease().source().name(),
                                                bounds(p.bounds().attempts()),
                                                p.claims().order().name(),
                                                p.bounds().payload().maxBytes() / 1024 + "K",
                                                p.keeping().retention().toDays() + "d"))
                        .collect(Collectors.joining("\n", "", "\n"));
        assertThat(actual)
                .isEqualTo(
                        """
                        tasks tasks 30..3600:300 ITEM 1..10:3 PRIORITY_SCHEDULE_CREATION 64K 90d
                        queue queue 1..3600:120 CLAIM 1..10:3 PRIORITY_CREATION 256K 30d
                        jobs jobs 30..30:30 FIXED 1..101:4 CREATION 256K 30d
                        steps tasks 30..3600:60 ITEM 1..1:1 PRIORITY_SCHEDULE_CREATION 256K 0d
                        drivers drivers 30..30:30 FIXED 1..1:1 PRIORITY_CREATION 64K 0d
                        builtin builtin 30..30:30 FIXED 1..1:1 PRIORITY_SCHEDULE_CREATION 256K 0d
                        timers timers 30..30:30 FIXED 1..1:1 PRIORITY_SCHEDULE_CREATION 64K 0d
                        deliveries deliveries 60..60:60 FIXED 1..60:6 CREATION 64K 30d
                        """);
    }

    private static String bounds(Profile.Bounds bounds) {
        return bounds.min() + ".." + bounds.max() + ":" + bounds.orElse();
    }

    @Test
    void nothing_leaves_a_final_state_but_reopening_and_retrying() {
        for (Profile profile : Profiles.ALL) {
            assertThat(profile.lifecycle().rows())
                    .filteredOn(row -> row.from().ended())
                    .allMatch(
                            row ->
                                    row.event() == WorkEvent.REOPEN
                                            || row.event() == WorkEvent.RETRY
                                            || row.from() == row.to());
        }
    }

    @Test
    void an_unknown_profile_is_refused_by_name() {
        assertThat(Profiles.named("jobs")).isSameAs(Profiles.JOBS);
        assertThatThrownBy(() -> Profiles.named("Jobs")).hasMessageContaining("no profile Jobs");
    }
}
