package io.orchestrion.server.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.llm.LlmKey;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.runs.llm.LlmPlanner;
import io.orchestrion.runs.llm.LlmTimes;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;
import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.egress.GuardedEgress;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.testkit.LlmServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/// A model's service on this machine that answers, stalls and breaks as real ones do.
class LlmOverHttpTest {
    private static final UUID ACCOUNT = new UUID(1, 1);
    private static final String PLAN = "{\"agents\":[{\"subtask\":\"Look.\"}]}";
    private static final String PAYLOAD =
            "{\"tool\":\"run_plan\",\"input\":{\"task\":\"Find it.\"}}";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final LlmServer llm = new LlmServer();
    private final GuardedEgress egress = GuardedEgress.ofOperator(LONG);

    @AfterEach
    void close() {
        egress.close();
        llm.close();
    }

    private LlmOptions options() {
        return LlmOptions.of(llm.url(), new LlmKey("sk-1"), "model-1")
                .withTimes(new LlmTimes(LONG, LONG, LONG));
    }

    private Outcome plan(Egress over, LlmOptions options) throws InterruptedException {
        return new LlmPlanner(
                        over,
                        options,
                        new PlanReader(new JsonSchemas(new Failpoints())),
                        PlanLimits.USUAL,
                        System::nanoTime)
                .plan(ACCOUNT, PAYLOAD, LONG);
    }

    private static WorkError failed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome).report().error();
    }

    private static String result(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Completed.class);
        return ((Outcome.Completed) outcome).result();
    }

    ///
    @Test
    void a_stream_is_read_to_its_end() throws InterruptedException {
        llm.streaming("{\"agents\":", "[{\"subtask\":\"Lo", "ok.\"}]}");

        Outcome outcome = plan(egress, options());

        assertThat(result(outcome)).isEqualTo(PLAN);
        assertThat(((Outcome.Completed) outcome).report().usage()).contains("\"tokens\":150");
        assertThat(llm.got().getFirst().header("authorization")).isEqualTo("Bearer sk-1");
    }

    ///
    @Test
    void the_call_of_a_tool_is_taken() throws InterruptedException {
        llm.calling("run_plan", "{\"agents\":", "[{\"subtask\":\"Look.\"}]}");

        assertThat(result(plan(egress, options()))).isEqualTo(PLAN);
    }

    @Test
    void a_service_that_does_not_stream_will_do() throws InterruptedException {
        llm.whole(PLAN);

        assertThat(result(plan(egress, options()))).isEqualTo(PLAN);
    }

    /// 429 with Retry-After.
    @Test
    void a_service_may_ask_to_be_left_alone() throws InterruptedException {
        llm.refusing(429, "{}", "Retry-After: 7");

        WorkError error = failed(plan(egress, options()));

        assertThat(error.code()).isEqualTo("LLMRateLimitError");
        assertThat(error.retryAfterSeconds()).isEqualTo(7);
        assertThat(llm.asked()).hasSize(1);
    }

    ///
    @Test
    void a_service_in_trouble_is_named() throws InterruptedException {
        llm.refusing(503, "Away.");

        assertThat(failed(plan(egress, options())).code()).isEqualTo("LLMServiceError");
    }

    ///
    @Test
    void a_stream_that_stalls_is_given_up_before_all_time_is_over() throws InterruptedException {
        llm.stallingAfter("{\"agents\":");

        WorkError error =
                failed(plan(egress, options().withTimes(new LlmTimes(LONG, LONG, SHORT))));

        assertThat(error.code()).isEqualTo("LLMTimeoutError");
    }

    @Test
    void a_stream_that_is_cut_is_no_answer() throws InterruptedException {
        llm.cutAfter("{\"agents\":[{\"subtask\":\"Look.\"}]}");

        assertThat(failed(plan(egress, options())).code()).isEqualTo("ConnectionError");
    }

    @Test
    void an_answer_without_end_is_cut_off() throws InterruptedException {
        llm.streaming("x".repeat(100_000));
        LlmOptions usual = options();
        var small =
                new LlmOptions(
                        usual.url(),
                        usual.key(),
                        usual.model(),
                        usual.form(),
                        usual.times(),
                        10_000,
                        null,
                        0,
                        1,
                        1);

        assertThat(failed(plan(egress, small)).code()).isEqualTo("InvalidOutputError");
    }

    @Test
    void a_cancelled_attempt_closes_the_stream() throws Exception {
        llm.neverEndingAfter("{");
        var ended = new CompletableFuture<String>();
        Thread planning =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        ended.complete("" + plan(egress, options()));
                                    } catch (InterruptedException e) {
                                        ended.complete("interrupted");
                                    }
                                });
        llm.await(1);

        planning.interrupt();

        assertThat(ended.get()).isEqualTo("interrupted");
        assertThat(llm.awaitLeft(LONG)).isTrue();
    }

    /// What an account chooses may not be in this machine's networks; what the operator sets may.
    @Test
    void only_the_operator_names_private_addresses() throws InterruptedException {
        try (var ofAccounts =
                new GuardedEgress(
                        new AddressGuard(AddressRanges.NONE, AddressGuard.Resolver.SYSTEM, LONG))) {
            assertThat(failed(plan(ofAccounts, options())).code()).isEqualTo("AuthorizationError");
        }
        assertThat(llm.asked()).isEmpty();
    }
}
