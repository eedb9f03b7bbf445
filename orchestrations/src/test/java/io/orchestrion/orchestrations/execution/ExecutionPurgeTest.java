package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.events.CountedKind;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Ended executions go when their time is over, with all that belongs to them and nothing else.
class ExecutionPurgeTest {
    private static final List<String> TABLES =
            List.of(
                    "orchestration_execution",
                    "orchestration_step",
                    "orchestration_approval",
                    "orchestration_dead_letter",
                    "orchestration_notification",
                    "subject_event",
                    "work");

    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private long rows(String table) {
        return fixture.test.database().value("select count(*) from " + table);
    }

    private int purge() {
        return fixture.test.kernel().sweepOnce("execution-purger");
    }

    /// An approval, a notice, and a step that fails for good.
    private UUID failed() {
        String notice =
                Documents.step(
                        "tell",
                        "notify",
                        ",\"handler\":\"http:https://example.com/tell\",\"on_success\":\"work\"");
        String ask = Documents.step("ask", "human_approval", ",\"on_success\":\"tell\"");
        UUID id = fixture.start(Documents.of(ask, notice, Documents.task("work", ""))).id();
        fixture.engine
                .approvals()
                .decide(
                        fixture.pending().getFirst().id(),
                        new Approvals.Said(fixture.account, fixture.person, true, "go"));
        fixture.callUntil("the notice", () -> fixture.history(id).contains("work#1 pending"));
        fixture.fail(fixture.claim("do_work"), "validation_failed");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        return id;
    }

    @Test
    void an_execution_goes_with_everything_that_belongs_to_it_when_its_time_is_over() {
        UUID old = failed();
        fixture.test.clock().advance(OrchestrationFixture.KEPT.minusDays(1));
        UUID open = fixture.start(Documents.of(Documents.task("other", ""))).id();
        List<String> others = fixture.history(open);
        assertThat(purge()).isZero();

        fixture.test.clock().advance(Duration.ofDays(2));
        assertThat(purge()).isPositive();

        assertThat(fixture.engine.reads().find(fixture.account, old)).isNull();
        assertThat(fixture.history(open)).isEqualTo(others);
        assertThat(rows("orchestration_execution")).isOne();
        assertThat(rows("orchestration_step")).isOne();
        for (String table :
                List.of(
                        "orchestration_approval",
                        "orchestration_dead_letter",
                        "orchestration_notification")) {
            assertThat(rows(table)).as(table).isZero();
        }
        assertThat(
                        fixture.test
                                .database()
                                .<Long>value("select count(*) from work where owner_id = ?", old))
                .isZero();
        assertThat(rows("subject_event")).isEqualTo(2);
    }

    /// E-198: the counts stay those of the table.
    @Test
    void dead_letters_that_go_are_counted_no_more() {
        UUID old = failed();
        fixture.engine.executions().retry(fixture.request(old), null, false);
        fixture.fail(fixture.claim("do_work"), "validation_failed");
        fixture.test.clock().advance(OrchestrationFixture.KEPT.plusDays(1));
        UUID young = failed();
        assertThat(counted("open")).isEqualTo(2);
        assertThat(counted("reprocessed")).isEqualTo(1);

        assertThat(purge()).isPositive();

        assertThat(counted("open")).isEqualTo(1);
        assertThat(counted("reprocessed")).isZero();
        assertThat(fixture.letters(young)).hasSize(1);
    }

    /// How many dead letters of a status there are by the totals of the log.
    private long counted(String status) {
        long there = 0;
        for (Total total : fixture.test.kernel().totals().read(Duration.ofSeconds(20))) {
            if (CountedKind.read(total.kind()).kind().equals("dead_letter")) {
                there += total.to().equals(status) ? total.count() : 0;
                there -= total.from().equals(status) ? total.count() : 0;
            }
        }
        return there;
    }

    @Test
    void one_that_somebody_restarts_or_that_never_ended_stays() {
        UUID id = fixture.start(Documents.of(Documents.task("slow", ""))).id();
        fixture.test.clock().advance(OrchestrationFixture.KEPT.multipliedBy(10));

        assertThat(purge()).isZero();

        WorkItem held = fixture.claim("do_slow");
        fixture.complete(held, "{}");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(purge()).isZero();
    }

    @Test
    void a_large_one_goes_in_bounded_batches() {
        UUID id = fixture.start(Documents.of(Documents.task("work", ""))).id();
        fixture.fail(fixture.claim("do_work"), "validation_failed");
        for (int i = 0; i < 300; i++) {
            fixture.engine.executions().retry(fixture.request(id), null, false);
            fixture.fail(fixture.claim("do_work"), "validation_failed");
        }
        fixture.test.clock().advance(OrchestrationFixture.KEPT.plusDays(1));

        int first = purge();
        assertThat(first).isEqualTo(500);
        assertThat(fixture.engine.reads().find(fixture.account, id)).isNotNull();
        for (int i = 0; i < 10 && purge() > 0; i++) {}

        for (String table : TABLES) {
            assertThat(rows(table)).as(table).isZero();
        }
    }
}
