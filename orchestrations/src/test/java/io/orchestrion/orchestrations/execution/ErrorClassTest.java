package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.ErrorMatrix;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Which class an error gets, by what its reporter says of it.
class ErrorClassTest {
    private static final String ONCE = Documents.retry(1, "fixed", 0, 0, 60_000);

    /// Code | status | partial side effect | class.
    private static final String TABLE =
            """
            connect_failed           | -   | -    | TRANSIENT
            read_timeout             | -   | -    | TRANSIENT
            anything                 | 502 | -    | TRANSIENT
            anything                 | 503 | -    | TRANSIENT
            anything                 | 504 | -    | TRANSIENT
            optimistic_lock_conflict | -   | -    | RETRYABLE
            optimistic_lock_conflict | 409 | -    | RETRYABLE
            anything                 | 412 | -    | RETRYABLE
            anything                 | 409 | -    | NON_RETRYABLE
            validation_failed        | -   | -    | NON_RETRYABLE
            permission_denied        | -   | -    | NON_RETRYABLE
            invariant_violated       | -   | -    | NON_RETRYABLE
            anything                 | 400 | -    | NON_RETRYABLE
            anything                 | 401 | -    | NON_RETRYABLE
            anything                 | 403 | -    | NON_RETRYABLE
            anything                 | 404 | -    | NON_RETRYABLE
            anything                 | 422 | -    | NON_RETRYABLE
            anything                 | 500 | -    | NON_RETRYABLE
            anything                 | 429 | -    | RATE_LIMITED
            rate_limited             | -   | -    | RATE_LIMITED
            anything                 | 424 | -    | DEPENDENCY_FAILED
            dependency_failed        | -   | -    | DEPENDENCY_FAILED
            anything                 | -   | true | COMPENSATION_REQUIRED
            connect_failed           | 503 | true | COMPENSATION_REQUIRED
            validation_failed        | 400 | true | COMPENSATION_REQUIRED
            connect_failed           | -   | false | TRANSIENT
            anything                 | -   | -    | NON_RETRYABLE
            nobody_knows_this        | -   | -    | NON_RETRYABLE
            TRANSIENT                | -   | -    | NON_RETRYABLE
            RETRYABLE                | -   | -    | NON_RETRYABLE
            Connect_Failed           | -   | -    | NON_RETRYABLE
            """;

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static WorkError error(List<String> row) {
        return new WorkError(
                row.get(0),
                row.get(1).equals("-") ? null : Integer.valueOf(row.get(1)),
                "it did not work",
                null,
                row.get(2).equals("-") ? null : Boolean.valueOf(row.get(2)));
    }

    private static List<List<String>> rows() {
        return TABLE.lines().map(line -> List.of(line.strip().split(" *\\| *"))).toList();
    }

    /// E-097, E-098, E-099, E-100, E-101, E-102, E-105, E-106, E-064.
    @Test
    void the_server_computes_the_class_from_what_a_worker_reports() {
        var found = new ArrayList<String>();
        var wanted = new ArrayList<String>();
        UUID definition = fixture.published(Documents.of(Documents.task("a", ONCE)));
        for (List<String> row : rows()) {
            UUID id = fixture.start(definition, "{}").id();
            assertThat(fixture.fail(fixture.claim("do_a"), error(row)))
                    .isInstanceOf(Ack.Applied.class);
            StepError stored = fixture.step(id, "a", 1).ended().error();
            assertThat(stored).isNotNull();
            found.add(row.subList(0, 3) + " " + stored.errorClass());
            wanted.add(row.subList(0, 3) + " " + row.get(3));
            assertThat(stored.code()).isEqualTo(row.get(0));
            assertThat(stored.overridden()).isFalse();
        }
        assertThat(found).isEqualTo(wanted);
    }

    /// E-104.
    @Test
    void another_node_computes_the_same_class() {
        UUID definition = fixture.published(Documents.of(Documents.task("a", ONCE)));
        try (var other = fixture.secondNode()) {
            for (List<String> row : rows()) {
                UUID id = fixture.start(definition, "{}").id();
                WorkItem held = fixture.claim("do_a");
                other.kernel()
                        .work()
                        .command(
                                new CommandRequest(
                                        fixture.account,
                                        Profiles.TASKS,
                                        held.id(),
                                        new Command.Fail(
                                                Fence.of(held.lease().token()),
                                                null,
                                                null,
                                                true,
                                                Report.of(error(row)),
                                                null),
                                        false));
                StepError stored = fixture.step(id, "a", 1).ended().error();
                assertThat(stored).isNotNull();
                assertThat(stored.errorClass().name()).as(row.toString()).isEqualTo(row.get(3));
            }
        }
    }

    /// E-107. Each row of the table that users read, tried.
    @Test
    void the_engine_does_what_the_table_says_that_users_read() {
        UUID definition = fixture.published(Documents.of(Documents.task("a", ONCE)));
        for (ErrorMatrix.Row row : ErrorMatrix.rows()) {
            UUID id = fixture.start(definition, "{}").id();
            String code = row.code() == null ? "anything" : row.code();
            fixture.fail(
                    fixture.claim("do_a"),
                    new WorkError(code, row.httpStatus(), "it did not work", null, null));
            StepError stored = fixture.step(id, "a", 1).ended().error();
            assertThat(stored).isNotNull();
            assertThat(stored.errorClass()).as(row.toString()).isEqualTo(row.errorClass());
            assertThat(fixture.letters(id).getFirst().reason().word())
                    .as(row.toString())
                    .isEqualTo(
                            switch (row.errorClass()) {
                                case COMPENSATION_REQUIRED -> "compensation_required";
                                case NON_RETRYABLE -> "non_retryable";
                                case TRANSIENT, RETRYABLE, RATE_LIMITED, DEPENDENCY_FAILED ->
                                        "attempts_exhausted";
                            });
        }
    }

    /// E-108.
    @Test
    void a_definition_may_say_another_class_of_a_code_and_that_is_in_the_history() {
        UUID definition =
                fixture.published(
                        Documents.with(
                                "\"error_overrides\":{\"card_declined\":\"RETRYABLE\",\"connect_failed\":\"NON_RETRYABLE\"},",
                                Documents.task("a", "")));
        UUID retried = fixture.start(definition, "{}").id();
        fixture.fail(fixture.claim("do_a"), "card_declined");
        assertThat(fixture.history(retried)).containsExactly("a#1 failed", "a#2 retrying");
        StepError stored = fixture.step(retried, "a", 1).ended().error();
        assertThat(stored).isNotNull();
        assertThat(stored.errorClass()).isEqualTo(ErrorClass.RETRYABLE);
        assertThat(stored.overridden()).isTrue();

        UUID failed = fixture.start(definition, "{}").id();
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        assertThat(fixture.history(failed)).containsExactly("a#1 failed");
        UUID other = fixture.start(definition, "{}").id();
        fixture.fail(fixture.claim("do_a"), "rate_limited");
        stored = fixture.step(other, "a", 1).ended().error();
        assertThat(stored).isNotNull();
        assertThat(stored.errorClass()).isEqualTo(ErrorClass.RATE_LIMITED);
        assertThat(stored.overridden()).isFalse();
    }

    /// E-102, E-108. What is not safe to repeat is not, whatever its definition says of the code.
    @Test
    void no_table_of_a_definition_makes_an_unknown_result_safe() {
        UUID id =
                fixture.start(
                                Documents.with(
                                        "\"error_overrides\":{\"lease_expired\":\"TRANSIENT\",\"read_timeout\":\"TRANSIENT\"},",
                                        Documents.task("a", ",NOT_SAFE,\"lease_seconds\":30")))
                        .id();
        fixture.claim("do_a");
        fixture.later(java.time.Duration.ofSeconds(31));
        StepError stored = fixture.step(id, "a", 1).ended().error();
        assertThat(stored).isNotNull();
        assertThat(stored.errorClass()).isEqualTo(ErrorClass.COMPENSATION_REQUIRED);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
    }

    private StepError called(CallOutcome answer) {
        fixture.service.answer = _ -> answer;
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "a",
                                                "external_call",
                                                ",\"handler\":\"http:https://service.example/\""
                                                        + ONCE)))
                        .id();
        fixture.callUntil("failed", () -> fixture.status(id) == ExecutionStatus.FAILED);
        StepError error = fixture.step(id, "a", 1).ended().error();
        assertThat(error).isNotNull();
        return error;
    }

    /// E-097, E-098, E-099, E-100, E-101, E-102. A service that was called says it by its status,
    /// and in the words of a worker where it knows them.
    @Test
    void answers_of_services_have_the_same_classes() {
        for (List<String> row : rows()) {
            if (row.get(0).equals("anything")
                    && !row.get(1).equals("-")
                    && row.get(2).equals("-")) {
                int status = Integer.parseInt(row.get(1));
                StepError error = called(OrchestrationFixture.Service.json(status, "{}"));
                assertThat(error.errorClass().name()).as(row.toString()).isEqualTo(row.get(3));
                assertThat(error.httpStatus()).isEqualTo(status);
            }
        }
        StepError conflict =
                called(
                        OrchestrationFixture.Service.json(
                                409, "{\"code\":\"optimistic_lock_conflict\"}"));
        assertThat(conflict.errorClass()).isEqualTo(ErrorClass.RETRYABLE);
        StepError half =
                called(
                        OrchestrationFixture.Service.json(
                                503, "{\"partial_side_effect\":true,\"message\":\"half of it\"}"));
        assertThat(half.errorClass()).isEqualTo(ErrorClass.COMPENSATION_REQUIRED);
        assertThat(half.summary()).contains("half of it");
        for (String strange :
                List.of("[]", "null", "{\"code\":5}", "{\"code\":\"\"}", "{", "\"x\"")) {
            StepError error = called(OrchestrationFixture.Service.json(503, strange));
            assertThat(error.errorClass()).as(strange).isEqualTo(ErrorClass.TRANSIENT);
            assertThat(error.code()).isEqualTo("http_503");
        }
    }

    /// E-097.
    @Test
    void a_service_that_does_not_answer_is_away_for_a_moment() {
        for (boolean sent : new boolean[] {true, false}) {
            for (var reason :
                    List.of(
                            CallOutcome.Reason.CONNECT_FAILED,
                            CallOutcome.Reason.TIMED_OUT,
                            CallOutcome.Reason.BROKEN,
                            CallOutcome.Reason.UNKNOWN_HOST)) {
                assertThat(called(new CallOutcome.Failed(reason, "no answer", sent)).errorClass())
                        .as(reason + " " + sent)
                        .isEqualTo(ErrorClass.TRANSIENT);
            }
        }
        assertThat(
                        called(
                                        new CallOutcome.Failed(
                                                CallOutcome.Reason.ADDRESS_REFUSED, "no", false))
                                .errorClass())
                .isEqualTo(ErrorClass.NON_RETRYABLE);
    }
}
