package io.orchestrion.kernel.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.verbs.ClaimMarks.Line;
import io.orchestrion.kernel.verbs.ClaimMarks.Mark;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

class ClaimMarksTest {
    private static final Duration SLOW = Duration.ofMillis(50);
    private static final Duration QUICK = Duration.ofMillis(1);

    private final AtomicLong nanos = new AtomicLong();
    private final ClaimMarks marks = new ClaimMarks(nanos::get);
    private final Line line = new Line(UUID.randomUUID(), "tasks", "build");
    private final Mark first = new Mark(5, 0, new UUID(0x7000L, 0));

    private void look(Duration takes, Mark found) {
        look(1, takes, found);
    }

    private void look(int wanted, Duration takes, Mark found) {
        ClaimMarks.Look look = marks.look(line, wanted);
        nanos.addAndGet(takes.toNanos());
        look.found(found);
    }

    private void looksGetSlow() {
        for (int i = 0; i < 3; i++) {
            look(SLOW, first);
        }
    }

    private void again() {
        marks.again(line.account(), line.queue(), line.kind());
    }

    @Test
    void while_looking_is_quick_nothing_is_remembered() {
        for (int i = 0; i < 10; i++) {
            look(QUICK, first);
            assertThat(marks.of(line)).isNull();
        }
    }

    @Test
    void a_few_slow_looks_in_a_row_are_remembered() {
        look(SLOW, first);
        look(SLOW, first);
        assertThat(marks.of(line)).isNull();
        look(QUICK, first);
        look(SLOW, first);
        look(SLOW, first);
        assertThat(marks.of(line)).isNull();
        look(SLOW, first);
        assertThat(marks.of(line)).isEqualTo(first);
    }

    @Test
    void whether_a_look_is_slow_goes_by_how_many_it_may_find() {
        for (int i = 0; i < 10; i++) {
            look(200, SLOW, first);
            assertThat(marks.of(line)).isNull();
        }
        for (int i = 0; i < 3; i++) {
            look(100, SLOW, first);
        }
        assertThat(marks.of(line)).isEqualTo(first);
    }

    @Test
    void a_slow_look_is_taken_again_after_a_hundred_times_as_long() {
        looksGetSlow();
        nanos.addAndGet(SLOW.toNanos() * 100 - 1);
        assertThat(marks.of(line)).isEqualTo(first);
        nanos.addAndGet(1);
        assertThat(marks.of(line)).isNull();
        look(Duration.ofSeconds(9), first);
        nanos.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(marks.of(line)).isNull();
    }

    @Test
    void what_becomes_ready_again_ends_it_at_once_and_so_does_finding_nothing() {
        looksGetSlow();
        again();
        assertThat(marks.of(line)).isNull();
        look(SLOW, first);
        assertThat(marks.of(line)).isEqualTo(first);
        look(SLOW, null);
        assertThat(marks.of(line)).isNull();
    }

    @Test
    void a_look_during_which_something_became_ready_again_is_not_remembered() {
        looksGetSlow();
        ClaimMarks.Look look = marks.look(line, 1);
        nanos.addAndGet(SLOW.toNanos());
        again();
        look.found(first);
        assertThat(marks.of(line)).isNull();
    }

    @Test
    void a_mark_leaves_room_for_what_commits_late_and_is_made_of_ids_that_tell_their_age() {
        UUID id = UUID.fromString("01a1e453-db82-71dd-b44c-a8db6e095a28");
        Mark mark = Mark.of(5, 0, id);
        assertThat(mark).isNotNull();
        assertThat(id.getMostSignificantBits() >>> 16)
                .isEqualTo((mark.id().getMostSignificantBits() >>> 16) + 1000);
        assertThat(Mark.of(5, 0, UUID.fromString("01a1e453-db82-41dd-b44c-a8db6e095a28"))).isNull();
    }
}
