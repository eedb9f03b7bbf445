package io.orchestrion.testkit.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.sample.Errand.State;
import io.orchestrion.testkit.sample.Errand.Step;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What may be asked of an errand, in which state, and what becomes of its items.
class ErrandVerbsTest {
    private final ErrandFixture fixture = new ErrandFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID in(State state) {
        UUID id = fixture.create();
        switch (state) {
            case RUNNING -> {}
            case PAUSED -> assertThat(fixture.errands.pause(fixture.account, id)).isTrue();
            case CANCELLED -> assertThat(fixture.errands.cancel(fixture.account, id)).isTrue();
            case FAILED -> fixture.fail(fixture.claim(), WorkError.of("broken", "it is broken"));
            case SUCCEEDED -> {
                fixture.toTheCall(id);
                fixture.callUntil(id, State.SUCCEEDED);
            }
        }
        assertThat(fixture.state(id)).isEqualTo(state);
        return id;
    }

    private boolean ask(UUID id, State to) {
        return switch (to) {
            case PAUSED -> fixture.errands.pause(fixture.account, id);
            case RUNNING -> fixture.errands.resume(fixture.account, id);
            case CANCELLED -> fixture.errands.cancel(fixture.account, id);
            case SUCCEEDED, FAILED -> throw new IllegalArgumentException("nobody asks for " + to);
        };
    }

    @ParameterizedTest
    @EnumSource
    void each_verb_does_what_the_table_says_and_nothing_where_it_says_nothing(State from) {
        for (State to : List.of(State.PAUSED, State.RUNNING, State.CANCELLED)) {
            UUID id = in(from);
            List<String> told = fixture.told(id);
            boolean allowed = Errand.TABLE.allows(from, to);
            assertThat(ask(id, to)).as("%s to %s", from, to).isEqualTo(allowed);
            assertThat(fixture.state(id)).isEqualTo(allowed ? to : from);
            assertThat(fixture.told(id)).hasSize(told.size() + (allowed ? 1 : 0));
        }
    }

    @Test
    void the_table_allows_no_more_than_this() {
        assertThat(Errand.TABLE.rows())
                .hasSize(8)
                .allMatch(row -> row.from() == State.RUNNING || row.from() == State.PAUSED)
                .allMatch(row -> row.from() != row.to() && row.event() == row.to());
        UUID id = fixture.create();
        assertThatThrownBy(() -> fixture.test.database().execute("update errand set state = 'X'"))
                .hasStackTraceContaining("errand_state_check");
        assertThat(fixture.errands.pause(fixture.account, UUID.randomUUID())).isFalse();
        assertThat(fixture.errands.pause(fixture.test.account(), id)).as("of another").isFalse();
    }

    @Test
    void a_pause_holds_what_nobody_has_and_a_resume_gives_it_out() {
        UUID id = in(State.PAUSED);
        assertThat(fixture.claim(5)).isEmpty();
        fixture.errands.resume(fixture.account, id);
        fixture.complete(fixture.claim());
        assertThat(fixture.step(id)).isEqualTo(Step.REST);
        assertThat(fixture.told(id)).containsExactly("running", "paused", "running");
    }

    @Test
    void what_somebody_has_when_it_is_paused_counts_and_the_next_item_waits_for_the_resume() {
        UUID id = fixture.create();
        WorkItem held = fixture.claim();
        fixture.errands.pause(fixture.account, id);
        assertThat(fixture.complete(held)).isInstanceOf(Ack.Applied.class);
        fixture.later(ErrandFixture.REST);
        assertThat(fixture.state(id)).isEqualTo(State.PAUSED);
        assertThat(fixture.step(id)).as("a timer runs on").isEqualTo(Step.CALL);
        assertThat(fixture.sweep("errand-calls")).isZero();
        fixture.errands.resume(fixture.account, id);
        fixture.callUntil(id, State.SUCCEEDED);
        assertThat(fixture.receiver.got()).hasSize(1);
    }

    @Test
    void what_fails_while_it_is_paused_is_tried_again_after_the_resume() {
        UUID id = fixture.create();
        WorkItem held = fixture.claim();
        fixture.errands.pause(fixture.account, id);
        fixture.fail(held, new WorkError("busy", 503, "come back", null, null));
        fixture.later(Duration.ofSeconds(20));
        assertThat(fixture.claim(5)).isEmpty();
        fixture.errands.resume(fixture.account, id);
        assertThat(fixture.claim().id()).isNotEqualTo(held.id());
    }

    @Test
    void a_cancel_takes_the_step_from_its_worker_and_the_wait_from_the_clock() {
        UUID id = fixture.create();
        WorkItem held = fixture.claim();
        assertThat(fixture.errands.cancel(fixture.account, id)).isTrue();
        assertThat(fixture.complete(held))
                .isInstanceOfSatisfying(
                        Ack.Refused.class,
                        ack -> assertThat(ack.refusal()).isInstanceOf(Refusal.Revoked.class));
        assertThat(fixture.told(id)).containsExactly("running", "cancelled");

        UUID resting = fixture.create();
        fixture.complete(fixture.claim());
        assertThat(fixture.errands.cancel(fixture.account, resting)).isTrue();
        fixture.later(ErrandFixture.REST);
        assertThat(fixture.step(resting)).isEqualTo(Step.REST);
        assertThat(open()).isZero();
    }

    private long open() {
        return fixture.test.database().value("select count(*) from work where finished_ms is null");
    }

    @Test
    void the_events_are_numbered_without_gaps_and_carry_the_correlation() {
        UUID id = in(State.PAUSED);
        fixture.errands.resume(fixture.account, id);
        fixture.toTheCall(id);
        fixture.callUntil(id, State.SUCCEEDED);
        assertThat(fixture.lines(id))
                .extracting(line -> line.event().seq())
                .containsExactly(1, 2, 3, 4);
        assertThat(fixture.lines(id))
                .allMatch(line -> "order-7".equals(line.event().correlationId()));
        assertThat(fixture.lines(id).getLast().event().data()).contains("\"status\":200");
    }
}
