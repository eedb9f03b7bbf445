package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HistoryTest {

    /// K-03: only the end of a wait that the door shows as another state is an event.
    @Test
    void a_promotion_is_an_event_only_where_the_door_shows_the_wait_as_another_state() {
        for (Profile profile : Profiles.ALL) {
            for (WaitReason reason : WaitReason.values()) {
                boolean shown = profile == Profiles.JOBS && reason != WaitReason.BACKOFF;
                assertThat(History.shows(profile, WorkEvent.PROMOTE, reason))
                        .as(profile.name() + " " + reason)
                        .isEqualTo(shown);
            }
            assertThat(History.shows(profile, WorkEvent.PROMOTE, null)).isFalse();
        }
    }

    @Test
    void every_other_change_is_an_event() {
        for (Profile profile : Profiles.ALL) {
            for (WorkEvent event : WorkEvent.values()) {
                if (event != WorkEvent.PROMOTE) {
                    assertThat(History.shows(profile, event, null))
                            .as(profile.name() + " " + event)
                            .isTrue();
                }
            }
        }
    }

    /// K-03: a profile that starts with the lease has no second event for the start.
    @Test
    void a_start_that_nobody_sees_has_no_row_to_write_an_event_for() {
        for (Profile profile : Profiles.ALL) {
            assertThat(profile.lifecycle().allows(WorkState.LEASED, WorkEvent.START))
                    .as(profile.name())
                    .isEqualTo(profile == Profiles.JOBS);
        }
    }
}
