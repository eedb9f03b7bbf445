package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The key of a step: what it is made of, who gets it, and when it becomes another one.
class StepKeyTest {
    private static final String QUICK =
            Documents.retry(3, "fixed", 1000, 1000, 60_000) + ",\"lease_seconds\":30";

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// Each part with its length in four bytes before it.
    private static String hash(String... parts) {
        try {
            var bytes = new ByteArrayOutputStream();
            var out = new DataOutputStream(bytes);
            for (String part : parts) {
                byte[] text = part.getBytes(StandardCharsets.UTF_8);
                out.writeInt(text.length);
                out.write(text);
            }
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private WorkView view(String type) {
        var request = new ClaimRequest(fixture.account, "tasks", type, 1, "worker", null);
        return fixture.test.kernel().work().claim(request, Duration.ZERO).items().getFirst();
    }

    private static JsonNode envelope(WorkView view) {
        return JsonMapper.shared().readTree(view.documents().payload());
    }

    /// E-067, E-143, E-144, E-145, E-146, E-235.
    @Test
    void every_attempt_carries_the_same_key_and_its_own_number() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", QUICK + ",\"on_success\":\"b\""),
                                        Documents.task("b", QUICK)))
                        .id();
        String key = hash(fixture.account.toString(), id.toString(), "a");
        for (int attempt = 1; attempt <= 3; attempt++) {
            WorkView view = view("do_a");
            JsonNode envelope = envelope(view);
            assertThat(envelope.get("idempotency_key").asString()).isEqualTo(key);
            assertThat(envelope.get("attempt_number").asInt()).isEqualTo(attempt);
            assertThat(envelope.get("tenant_id").asString()).isEqualTo(fixture.account.toString());
            assertThat(envelope.get("execution_id").asString()).isEqualTo(id.toString());
            assertThat(envelope.get("step_id").asString()).isEqualTo("a");
            assertThat(envelope.get("step_execution_id").asString())
                    .isEqualTo(view.item().id().toString());
            assertThat(envelope.get("correlation_id").asString()).isEqualTo("order-7");
            assertThat(envelope.get("input").toString()).isEqualTo("{\"n\":1}");
            assertThat(envelope.has("deadline_at")).isTrue();
            assertThat(view.item().lease().deadlineMs()).isNotNull();
            assertThat(fixture.step(id, "a", attempt).key().value()).isEqualTo(key);
            if (attempt < 3) {
                fixture.fail(view.item(), "connect_failed");
                fixture.later(Duration.ofSeconds(2));
            } else {
                fixture.complete(view.item(), "{}");
            }
        }
        JsonNode next = envelope(view("do_b"));
        assertThat(next.get("idempotency_key").asString())
                .isEqualTo(hash(fixture.account.toString(), id.toString(), "b"));
        assertThat(next.get("attempt_number").asInt()).isEqualTo(1);
    }

    /// E-143, E-144.
    @Test
    void keys_of_other_steps_executions_and_accounts_differ() {
        UUID definition = fixture.published(Documents.of(Documents.task("a", "")));
        var keys = new HashSet<String>();
        for (int i = 0; i < 3; i++) {
            UUID id = fixture.start(definition, "{}").id();
            keys.add(fixture.step(id, "a", 1).key().value());
        }
        assertThat(keys).hasSize(3).allMatch(key -> key.matches("[0-9a-f]{64}"));

        UUID account = UUID.randomUUID();
        UUID execution = UUID.randomUUID();
        assertThat(
                        Set.of(
                                StepKeys.of(account, execution, "ab", AttemptKind.STEP, 0),
                                StepKeys.of(account, execution, "a", AttemptKind.STEP, 0),
                                StepKeys.of(execution, account, "ab", AttemptKind.STEP, 0),
                                StepKeys.of(account, execution, "ab", AttemptKind.STEP, 1),
                                StepKeys.of(account, execution, "ab", AttemptKind.COMPENSATION, 0),
                                StepKeys.of(account, execution, "ab1", AttemptKind.STEP, 0),
                                StepKeys.of(
                                        account, execution, "abcompensation", AttemptKind.STEP, 0)))
                .hasSize(7);
    }

    /// E-146, E-240. A worker that was lost calls again: a receiver that goes by the key has one
    /// effect.
    @Test
    void every_call_of_a_service_carries_the_key_of_its_step() {
        Map<String, Integer> effects = new ConcurrentHashMap<>();
        var numbers = new ArrayList<Integer>();
        fixture.service.answer =
                call -> {
                    effects.merge(header(call, "Idempotency-Key"), 1, Integer::sum);
                    numbers.add(effects.size());
                    return numbers.size() < 3
                            ? new CallOutcome.Failed(CallOutcome.Reason.TIMED_OUT, "slow", true)
                            : OrchestrationFixture.Service.json(200, "{}");
                };
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "a",
                                                "external_call",
                                                ",\"handler\":\"http:https://service.example/\""
                                                        + Documents.retry(
                                                                3, "fixed", 0, 0, 60_000))))
                        .id();
        fixture.callUntil(
                "done",
                () -> {
                    fixture.later(Duration.ofMillis(5));
                    return fixture.status(id) == ExecutionStatus.SUCCEEDED;
                });
        assertThat(effects)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(hash(fixture.account.toString(), id.toString(), "a"), 3));
        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a#2 failed", "a#3 succeeded");
        assertThat(fixture.service.calls)
                .allSatisfy(
                        call -> assertThat(header(call, "X-Correlation-Id")).isEqualTo("order-7"));
    }

    private static String header(Call call, String name) {
        return call.headers().entrySet().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    /// E-169, E-172. The step may take effect again after that, under another key.
    @Test
    void a_step_that_was_undone_gets_another_key_when_it_is_tried_again() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                QUICK
                                                        + ",NOT_SAFE,\"compensation_handler\":\"task:undo_a\",\"compensation_policy\":\"auto\"")))
                        .id();
        fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(31));
        JsonNode undo = envelope(view("undo_a"));
        String undoKey = hash(fixture.account.toString(), id.toString(), "a", "compensation");
        assertThat(undo.get("idempotency_key").asString()).isEqualTo(undoKey);
        fixture.later(Duration.ofSeconds(61));
        fixture.later(Duration.ofSeconds(2));
        WorkView again = view("undo_a");
        assertThat(envelope(again).get("idempotency_key").asString()).isEqualTo(undoKey);
        fixture.complete(again.item(), "{}");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);

        fixture.engine.executions().retry(fixture.request(id), null, true);

        String next = envelope(view("do_a")).get("idempotency_key").asString();
        assertThat(next)
                .isNotEqualTo(hash(fixture.account.toString(), id.toString(), "a"))
                .isEqualTo(fixture.step(id, "a", 2).key().value())
                .isEqualTo(hash(fixture.account.toString(), id.toString(), "a", "1"));
        assertThat(fixture.step(id, "a", 2).key().epoch()).isEqualTo(1);
        assertThat(fixture.step(id, "a", 1).key().epoch()).isZero();
    }

    /// E-172. Also where somebody undid it by hand.
    @Test
    void a_step_that_was_marked_as_undone_gets_another_key_and_another_retry_keeps_that() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK + ",NOT_SAFE"))).id();
        fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(31));
        DeadLetter letter = fixture.letters(id).getFirst();
        fixture.engine
                .deadLetters()
                .markCompensated(
                        new DeadLetters.Request(
                                fixture.account, letter.id(), fixture.person, "undone by hand"));

        fixture.engine.executions().retry(fixture.request(id), null, true);
        assertThat(fixture.step(id, "a", 2).key().epoch()).isEqualTo(1);
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.engine.executions().retry(fixture.request(id), null, true);
        assertThat(fixture.step(id, "a", 3).key()).isEqualTo(fixture.step(id, "a", 2).key());
    }

    /// E-144. Without anything undone the key stays, also for a retry by hand.
    @Test
    void a_retry_by_hand_keeps_the_key() {
        UUID id = fixture.start(Documents.of(Documents.task("a", QUICK))).id();
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.engine.executions().retry(fixture.request(id), null, false);
        assertThat(fixture.step(id, "a", 2).key()).isEqualTo(fixture.step(id, "a", 1).key());
    }

    /// E-160.
    @Test
    void what_the_step_declares_is_stored_with_each_attempt() {
        for (String more : List.of("", ",NOT_SAFE", ",\"guard_handler\":\"task:check\"")) {
            UUID id = fixture.start(Documents.of(Documents.task("a", more + QUICK))).id();
            fixture.fail(fixture.claim("do_a"), "connect_failed");
            String declared =
                    more.isEmpty()
                            ? "SAFE_TO_RETRY"
                            : more.contains("NOT_SAFE")
                                    ? "NOT_SAFE_TO_RETRY"
                                    : "SAFE_TO_RETRY_WITH_GUARD";
            assertThat(
                            fixture.test
                                    .database()
                                    .rows(
                                            "select distinct safe_retry from orchestration_step"
                                                    + " where execution_id = ?",
                                            id))
                    .containsExactly(Map.of("safe_retry", declared));
            fixture.engine.executions().cancel(fixture.request(id));
        }
    }

    /// E-151, E-150.
    @Test
    void the_same_completion_said_again_goes_no_step_further() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"on_success\":\"b\""),
                                        Documents.task("b", "")))
                        .id();
        WorkItem held = fixture.claim("do_a");
        UUID digest = UUID.randomUUID();
        var said =
                new io.orchestrion.kernel.work.Command.Complete(
                        io.orchestrion.kernel.work.Fence.of(held.lease().token()),
                        "{\"x\":1}",
                        null,
                        digest);
        assertThat(fixture.say(held, said))
                .isInstanceOf(io.orchestrion.kernel.work.Ack.Applied.class);
        assertThat(fixture.say(held, said))
                .isInstanceOf(io.orchestrion.kernel.work.Ack.Repeated.class);
        assertThat(fixture.complete(held, "{\"x\":2}"))
                .isInstanceOf(io.orchestrion.kernel.work.Ack.Refused.class);

        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 pending");
        assertThat(fixture.step(id, "a", 1).ended().result()).isEqualTo("{\"x\":1}");
        assertThat(fixture.claim("do_b", 10)).hasSize(1);
    }
}
