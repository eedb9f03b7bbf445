package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.testkit.Parallel;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/// The messages under which the engine hands items in: the same message makes one item.
class ItemMessagesTest {
    /// Somebody on call, who is never called here.
    private static final class Nobody implements Egress {
        @Override
        public @Nullable String knownFault(String url) {
            return null;
        }

        @Override
        public @Nullable String fault(UUID owner, String url) {
            return null;
        }

        @Override
        public CallOutcome call(UUID owner, Call call) {
            return new CallOutcome.Answered(204, Map.of(), new byte[0]);
        }
    }

    private final RunFixture fixture =
            new RunFixture(
                    options ->
                            Options.onCall(
                                    options,
                                    new RunsOptions.OnCallLine(
                                            new Nobody(),
                                            OnCallOptions.of("https://on-call.example/", "t"))));
    private final Engine engine =
            new Engine(fixture.test.kernel(), Options.onCall(fixture.options, null));

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID created() {
        return fixture.create(
                fixture.asked(one(step("a"), step("b")), FailureMode.FAIL_FAST, each -> each));
    }

    /// The item of the message, whether it was there or not.
    private UUID enqueued(UUID run, String purpose) {
        UUID item =
                fixture.test
                        .kernel()
                        .database()
                        .retried(
                                tx ->
                                        engine.withRun(
                                                tx,
                                                Commit.START,
                                                fixture.account,
                                                run,
                                                turn -> {
                                                    engine.enqueueDriver(turn, purpose, null);
                                                    return turn.run().driver();
                                                }));
        assertThat(item).isNotNull();
        return item;
    }

    private long items() {
        return Long.parseLong(fixture.value("select count(*) from item"));
    }

    /// R-187, CB-089.
    @Test
    void twenty_at_once_with_one_message_make_one_item() {
        UUID run = created();
        fixture.start(run);
        long before = items();
        List<UUID> made = Parallel.run(20, i -> () -> enqueued(run, "again"));
        assertThat(made.stream().distinct()).hasSize(1);
        assertThat(items()).isEqualTo(before + 1);
        assertThat(enqueued(run, "again")).isEqualTo(made.getFirst());
        assertThat(enqueued(run, "another")).isNotEqualTo(made.getFirst());
        assertThat(items()).isEqualTo(before + 2);
    }

    ///
    @Test
    void twenty_starts_at_once_make_one_item_and_one_reservation() {
        UUID run = created();
        List<Ack> acks = Parallel.run(20, i -> () -> fixture.start(run));
        assertThat(acks)
                .allSatisfy(each -> assertThat(each).isInstanceOf(Ack.Done.class))
                .filteredOn(each -> ((Ack.Done) each).changed())
                .hasSize(1);
        assertThat(items()).isEqualTo(1);
        assertThat(fixture.ledger(run)).containsExactly("reserve 100");
    }

    ///
    @Test
    void a_message_that_is_older_than_a_day_makes_another_item() {
        UUID run = created();
        fixture.start(run);
        UUID first = enqueued(run, "again");
        fixture.test.clock().advance(Duration.ofHours(23));
        assertThat(enqueued(run, "again")).isEqualTo(first);
        fixture.test.clock().advance(Duration.ofHours(1));
        UUID second = enqueued(run, "again");
        assertThat(second).isNotEqualTo(first);
        assertThat(enqueued(run, "again")).isEqualTo(second);
    }

    private List<String> messages(UUID run) {
        return fixture
                .test
                .database()
                .rows("select message_id from run_items where run_id = ?", "run_" + run)
                .stream()
                .map(row -> String.valueOf(row.get("message_id")))
                .sorted()
                .toList();
    }

    /// The messages follow from the run, its attempt, the step and the attempt of the step,
    /// and nothing else: they can be told beforehand.
    @Test
    void the_message_of_every_item_can_be_told_beforehand() {
        UUID run = created();
        fixture.start(run);
        fixture.drive(run, RunStatus.RUNNING);
        UUID a = fixture.step(run, "a").id();
        UUID b = fixture.step(run, "b").id();
        fixture.failed("a", "ConnectionError");
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        fixture.fail(fixture.claim("b"), new WorkError("HTTPError", 429, "slow", 60, null));
        UUID ticket = fixture.run(run).note().ticket();
        fixture.resume(run);
        String resumed =
                fixture.value(
                        "select 'resume:' || seq from subject_event where subject_id = '"
                                + run
                                + "' and to_state = 'resuming'");
        var wanted =
                new TreeSet<>(
                        List.of(
                                "run:" + run + ":1:start",
                                "run:" + run + ":1:step:" + a + ":1.1.1",
                                "run:" + run + ":1:step:" + a + ":1.1.2",
                                "run:" + run + ":1:step:" + b + ":1.1.1",
                                "run:" + run + ":ticket:" + ticket + ":1",
                                "run:" + run + ":1:" + resumed));
        assertThat(messages(run)).containsExactlyElementsOf(wanted);
        fixture.drive(run, RunStatus.RUNNING);
        fixture.later(Duration.ofSeconds(61));
        wanted.add("run:" + run + ":1:step:" + b + ":1.1.2");
        assertThat(messages(run)).containsExactlyElementsOf(wanted);
        assertThat(
                        JsonMapper.shared()
                                .readTree(RunFixture.payload(fixture.view("b")))
                                .get("message_id")
                                .asString())
                .isEqualTo("run:" + run + ":1:step:" + b + ":1.1.2");
    }

    /// Nobody can hand in an attempt of a step twice.
    @Test
    void the_same_attempt_of_a_step_is_there_once() {
        UUID run = fixture.running(one(step("a")));
        String refusal = "";
        try {
            fixture.test
                    .database()
                    .execute(
                            "insert into run_step_attempt select (jsonb_populate_record(t,"
                                    + " '{\"id\":\""
                                    + UUID.randomUUID()
                                    + "\",\"attempt_number\":7}')).* from run_step_attempt t");
        } catch (IllegalStateException e) {
            refusal = String.valueOf(e.getCause());
        }
        assertThat(refusal).contains("run_step_attempt_message");
        assertThat(fixture.attempts(fixture.step(run, "a"))).hasSize(1);
    }
}
