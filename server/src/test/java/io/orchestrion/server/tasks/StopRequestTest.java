package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.events.TaskEvent;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// What a worker is told of the end that others set to its work.
class StopRequestTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    /// A step, as an engine would hand it in.
    private String step() {
        var draft =
                NewWork.of(UUID.fromString(tasks.accountId()), Profiles.STEPS, "step", "{}")
                        .givingUpAfter(100_000L);
        Submitted made = server.kernel().kernel().work().submit(Submission.of(draft));
        return ((Submitted.Created) made).view().item().id().toString();
    }

    private void asOwner(String id, Command command) {
        UUID account = UUID.fromString(tasks.accountId());
        var order =
                new CommandRequest(account, Profiles.STEPS, UUID.fromString(id), command, false);
        assertThat(server.kernel().kernel().work().command(order)).isInstanceOf(Ack.Applied.class);
    }

    private static void sweep() {
        server.kernel().kernel().sweepOnce("give-up");
    }

    @Test
    void a_heartbeat_is_answered_with_what_its_worker_is_asked_to_do() {
        String id = step();
        tasks.claim("step");
        Reply beat = tasks.verb(id, "heartbeat");
        assertThat(beat.at("/directives/pause_requested").asBoolean(true)).isFalse();
        assertThat(beat.at("/directives/cancel_requested").asBoolean(true)).isFalse();
        assertThat(beat.text("/directives/deadline_at")).isEqualTo(beat.text("/task/giveUpAt"));
        asOwner(id, new Command.AskPause(true));
        assertThat(tasks.verb(id, "heartbeat").at("/directives/pause_requested").asBoolean())
                .isTrue();
        Reply batch =
                tasks.api()
                        .post(
                                "/v1/tasks/batch/heartbeat",
                                "{\"items\":[{\"id\":\"%s\"}]}".formatted(id));
        assertThat(batch.at("/results/0/directives/pause_requested").asBoolean()).isTrue();
        assertThat(tasks.verb(id, "complete").at("").has("directives")).isFalse();
    }

    @Test
    void a_plain_task_has_no_deadline_unless_it_was_given_one() {
        String id = tasks.create("plain");
        tasks.claim("plain");
        assertThat(tasks.verb(id, "heartbeat").at("/directives/deadline_at").isNull()).isTrue();
        assertThat(tasks.get(id).at("/task").has("giveUpAt")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "complete", "fail"})
    void a_worker_whose_step_was_cancelled_is_told_that_its_lease_was_revoked(String verb) {
        String id = step();
        Reply claim = tasks.claim("step");
        asOwner(id, new Command.Cancel());
        String token = "{\"leaseToken\":\"" + claim.text("/leaseToken") + "\"}";
        for (Reply refused : new Reply[] {tasks.verb(id, verb), tasks.verb(id, verb, token)}) {
            assertThat(refused.status()).as(refused.text()).isEqualTo(409);
            assertThat(refused.error()).isEqualTo("lease_revoked");
            assertThat(refused.text("/message")).contains("stop");
            assertThat(refused.at("/agent_contract/retryable").asBoolean(true)).isFalse();
            assertThat(refused.text("/agent_contract/next_actions/0/action"))
                    .isEqualTo("claim_task");
        }
        Reply batch =
                tasks.api()
                        .post(
                                "/v1/tasks/batch/" + verb,
                                "{\"items\":[{\"id\":\"%s\"}]}".formatted(id));
        assertThat(batch.text("/results/0/error/code")).isEqualTo("lease_revoked");
    }

    @Test
    void a_report_after_the_end_is_in_the_events_of_its_task() {
        String id = step();
        Reply claim = tasks.claim("step");
        asOwner(id, new Command.Cancel());
        String body =
                "{\"leaseToken\":\"%s\",\"result\":{\"a\":1},\"usage\":{\"tokens\":4}}"
                        .formatted(claim.text("/leaseToken"));
        assertThat(tasks.verb(id, "complete", body).error()).isEqualTo("lease_revoked");
        var history =
                server.kernel()
                        .kernel()
                        .work()
                        .history(UUID.fromString(tasks.accountId()), UUID.fromString(id));
        assertThat(history.getLast().late()).isTrue();
        assertThat(TaskEvent.of(history.getLast())).isEqualTo(TaskEvent.LATE_REPORT);
        assertThat(history.getLast().detail())
                .isEqualTo(
                        "{\"report\":\"complete\",\"result\":{\"a\":1},\"usage\":{\"tokens\":4}}");
    }

    @Test
    void a_task_that_is_not_done_in_its_time_is_cancelled_and_says_why() {
        String waiting = tasks.create("slow", "\"giveUpAfterSeconds\":60,\"correlationId\":\"c\"");
        String held = tasks.create("held", "\"giveUpAfterSeconds\":60");
        Reply claim = tasks.claim("held");
        Instant until = Instant.parse(claim.text("/task/giveUpAt"));
        assertThat(until).isEqualTo(Instant.parse(claim.text("/task/createdAt")).plusSeconds(60));
        assertThat(Instant.parse(claim.text("/task/leaseExpiresAt"))).isEqualTo(until);
        server.clock().advance(Duration.ofSeconds(60));
        assertThat(tasks.claim("slow").at("/task").isNull()).isTrue();
        sweep();
        for (String id : new String[] {waiting, held}) {
            Reply read = tasks.get(id);
            assertThat(read.text("/task/status")).isEqualTo("cancelled");
            assertThat(read.text("/task/lastFailureReason")).contains("given up");
            assertThat(read.text("/task/lastError/code")).isEqualTo("gave_up");
            Reply events = tasks.api().get("/v1/events?taskId=" + id + "&event=cancelled");
            assertThat(events.at("/events").size()).isEqualTo(1);
            assertThat(events.text("/events/0/reason")).contains("given up");
        }
        assertThat(tasks.verb(held, "complete").error()).isEqualTo("invalid_transition");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "\"60\"", "5184001"})
    void the_time_that_a_task_is_given_is_bounded(String value) {
        Reply refused =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{},\"giveUpAfterSeconds\":%s}"
                                        .formatted(value));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text("/message")).contains("giveUpAfterSeconds");
    }
}
