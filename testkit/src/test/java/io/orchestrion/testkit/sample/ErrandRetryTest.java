package io.orchestrion.testkit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.sample.Errand.State;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// A step that fails is tried again as another item, when that is worth it.
class ErrandRetryTest {
    private static final WorkError BUSY = new WorkError("busy", 503, "come back", null, null);

    private final ErrandFixture fixture = new ErrandFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_failure_that_may_pass_is_tried_again_after_its_backoff_and_not_before() {
        UUID id = fixture.create();
        WorkItem first = fixture.claim();
        fixture.fail(first, BUSY);
        fixture.advance(Duration.ofSeconds(4));
        assertThat(fixture.claim(5)).isEmpty();
        fixture.advance(Duration.ofSeconds(2));
        WorkItem second = fixture.claim();
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(second.trail().correlationId()).isEqualTo("order-7");
        fixture.complete(second);
        assertThat(fixture.step(id)).isEqualTo(Errand.Step.REST);
        assertThat(fixture.told(id)).containsExactly("running");
    }

    @Test
    void who_asks_to_be_left_alone_for_longer_is() {
        fixture.create();
        fixture.fail(fixture.claim(), new WorkError("busy", 429, "come back", 90, null));
        fixture.advance(Duration.ofSeconds(89));
        assertThat(fixture.claim(5)).isEmpty();
        fixture.advance(Duration.ofSeconds(2));
        assertThat(fixture.claim(5)).hasSize(1);
    }

    @Test
    void an_errand_whose_attempts_are_used_up_has_failed_and_says_why() {
        UUID id = fixture.create();
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(fixture.state(id)).isEqualTo(State.RUNNING);
            fixture.fail(fixture.claim(), BUSY);
            fixture.advance(Duration.ofMinutes(1));
        }
        assertThat(fixture.state(id)).isEqualTo(State.FAILED);
        assertThat(fixture.told(id)).containsExactly("running", "failed");
        assertThat(fixture.lines(id).getLast().event().data()).contains("\"code\":\"busy\"");
        assertThat(fixture.claim(5)).isEmpty();
    }

    @Test
    void a_failure_that_will_not_pass_is_the_last() {
        UUID coded = fixture.create();
        fixture.fail(fixture.claim(), new WorkError("wrong_address", 404, "no such", null, null));
        assertThat(fixture.state(coded)).isEqualTo(State.FAILED);
        UUID told = fixture.create();
        WorkItem held = fixture.claim();
        fixture.say(
                held, new Command.Fail(Fence.of(held.lease().token()), "it rained", null, true));
        assertThat(fixture.state(told)).isEqualTo(State.FAILED);
        assertThat(fixture.lines(told).getLast().event().data())
                .contains("it rained", WorkError.UNSPECIFIED);
    }

    @Test
    void a_worker_that_went_silent_has_failed_and_another_one_goes_on() {
        UUID id = fixture.create();
        WorkItem lost = fixture.claim();
        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        fixture.advance(Duration.ofSeconds(6));
        WorkItem again = fixture.claim();
        assertThat(again.id()).isNotEqualTo(lost.id());
        assertThat(fixture.complete(lost)).isInstanceOf(Ack.Refused.class);
        assertThat(fixture.complete(again)).isInstanceOf(Ack.Applied.class);
        assertThat(fixture.state(id)).isEqualTo(State.RUNNING);
    }

    @Test
    void a_result_without_an_answer_is_rejected_and_fails_the_errand() {
        UUID id = fixture.create();
        WorkItem held = fixture.claim();
        Ack ack =
                fixture.say(
                        held,
                        new Command.Complete(Fence.of(held.lease().token()), "{\"a\":1}", null));
        assertThat(((Ack.Refused) ack).refusal()).isInstanceOf(Refusal.Rejected.class);
        assertThat(fixture.state(id)).isEqualTo(State.FAILED);
        assertThat(fixture.lines(id).getLast().event().data()).contains("bad_result");
    }

    @Test
    void the_start_of_each_attempt_is_told() {
        fixture.create();
        WorkItem first = fixture.claim();
        fixture.fail(first, BUSY);
        fixture.advance(Duration.ofSeconds(6));
        WorkItem second = fixture.claim();
        assertThat(fixture.told(first.id())).containsExactly("begun");
        assertThat(fixture.told(second.id())).containsExactly("begun");
    }
}
