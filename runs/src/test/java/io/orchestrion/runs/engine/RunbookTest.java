package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.check.Anomalies;
import io.orchestrion.runs.check.Anomaly;
import io.orchestrion.runs.check.RunsInvariants;
import io.orchestrion.runs.credit.Credits;
import io.orchestrion.runs.credit.Reversal;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The runbooks as they are written: each test makes what a runbook is for, asks its
/// questions, makes its calls, and asks again. The calls go to the engine; the door's own tests
/// send them over HTTP.
class RunbookTest {
    private static final Path PAGE =
            Path.of(System.getProperty("orchestrion.root", ".."), "docs/guides/runbooks.md");
    private static final Pattern SQL = Pattern.compile("(?m)^```sql\n(.*?)^```", Pattern.DOTALL);
    private static final Pattern CALL =
            Pattern.compile("-d '([^']*)'[\\s\\\\]*\"\\$SERVER(/api/v1/admin/[^\"]*)\"");

    private final RunFixture fixture = new RunFixture();
    private final Credits credits = new Credits(fixture.test.kernel(), fixture.runs.ledger());

    @AfterEach
    void close() {
        fixture.close();
    }

    /// The part of the page under a heading.
    private static String part(String heading) {
        try {
            String page = Files.readString(PAGE);
            int from = page.indexOf("## " + heading);
            int to = page.indexOf("\n## ", from + 1);
            assertThat(from).as(heading).isPositive();
            return page.substring(from, to < 0 ? page.length() : to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The rows that the questions of the page give, in its order.
    private List<List<Map<String, Object>>> asked(String part, UUID run) {
        return SQL.matcher(part)
                .results()
                .map(found -> found.group(1).replace("run_123", PublicId.RUN.of(run)))
                .map(question -> fixture.test.database().rows(question))
                .toList();
    }

    private record AdminCall(String path, JsonNode body) {}

    /// The first call of the page that changes something.
    private static AdminCall call(String part) {
        Matcher matcher = CALL.matcher(part);
        assertThat(matcher.find()).isTrue();
        return new AdminCall(matcher.group(2), JsonMapper.shared().readTree(matcher.group(1)));
    }

    private List<Anomaly> anomalies() {
        return Anomalies.page(fixture.test.kernel().database(), Anomalies.AttemptPlace.START)
                .anomalies();
    }

    ///
    @Test
    void a_run_that_does_not_end_is_found_and_failed() {
        String part = part("A run does not end");
        UUID run = fixture.running(one(step("a"), step("b")));
        WorkItem first = fixture.claim("a");
        assertThat(fixture.complete(first, "{}", "{\"tokens\":5000}")).isInstanceOf(Applied.class);
        WorkItem held = fixture.claim("b");
        fixture.test
                .database()
                .execute(
                        "update run set last_heartbeat_ms = last_heartbeat_ms - 90000000,"
                                + " running_ms = running_ms - 90000000 where id = ?",
                        run);
        List<List<Map<String, Object>>> found = asked(part, run);
        assertThat(found).hasSize(3).allSatisfy(rows -> assertThat(rows).hasSize(1));
        assertThat(found.get(1).getFirst()).containsEntry("status", "running");

        AdminCall call = call(part);
        assertThat(call.path()).isEqualTo("/api/v1/admin/runs/run_123/force-fail");
        String reason = call.body().at("/reason").asString();
        var request = new Request(fixture.account, run, Requester.key(UUID.randomUUID()), reason);
        Ack ack = fixture.runs.inOne(tx -> fixture.runs.forceFail(tx, request));
        assertThat(ack).isInstanceOf(Ack.Done.class);

        Run now = fixture.run(run);
        assertThat(now.status()).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.value("select last_error from runs")).isEqualTo("Timeout");
        assertThat(fixture.agents(run))
                .allSatisfy(
                        agent ->
                                assertThat(agent.status())
                                        .isIn(AgentStatus.FAILED, AgentStatus.CANCELLED));
        assertThat(fixture.ledger(run)).containsExactly("reserve 100", "charge 5", "refund 95");
        assertThat(fixture.complete(held, "{}")).isNotInstanceOf(Applied.class);
        assertThat(fixture.value("select action from audit where action = 'run.force_fail'"))
                .isEqualTo("run.force_fail");
        assertThat(asked(part, run).getFirst()).isEmpty();
        assertThat(RunsInvariants.violations(fixture.test.kernel().database())).isEmpty();
    }

    /// Reserves and charges once more under another key, as only a bug would.
    private void chargedAgain(UUID run) {
        bug(run, "reserve", 1, 0, 40);
        bug(run, "charge", -1, -1, 0);
    }

    private void bug(UUID run, String type, int toReserved, int toBalance, int held) {
        fixture.test
                .database()
                .execute(
                        """
                        insert into credit_entry (account_id, seq, id, transaction_type, run_id, attempt, amount,
                          idempotency_key, created_ms, balance_after, reserved_after, held_after)
                        select b.account_id, b.seq + 1, ?, ?, ?, 1, 40, 'bug', b.entry_ms, b.balance + 40 * ?,
                               b.reserved + 40 * ?, ?
                          from credit_balance b
                        """,
                        UUID.randomUUID(),
                        type,
                        run,
                        toBalance,
                        toReserved,
                        held);
        fixture.test
                .database()
                .execute(
                        "update credit_balance b set seq = e.seq, balance = e.balance_after,"
                                + " reserved = e.reserved_after from credit_entry e"
                                + " where e.seq = b.seq + 1");
    }

    ///
    @Test
    void a_run_that_was_charged_twice_is_found_and_gets_one_charge_back() {
        String part = part("A run was charged twice");
        UUID run = fixture.running(one(step("a")));
        fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":40000}");
        assertThat(anomalies()).isEmpty();
        chargedAgain(run);
        assertThat(anomalies())
                .singleElement()
                .satisfies(
                        odd -> {
                            assertThat(odd.run()).isEqualTo(run);
                            assertThat(odd.kinds()).containsExactly(Anomaly.Kind.SEVERAL_CHARGES);
                        });
        List<List<Map<String, Object>>> found = asked(part, run);
        assertThat(found).hasSize(3);
        assertThat(found.getFirst()).hasSize(2);
        assertThat(found.get(1)).hasSize(1);
        assertThat(found.get(2))
                .extracting(row -> row.get("idempotency_key"))
                .containsExactlyInAnyOrder(
                        "run:" + run + ":1:reserve",
                        "run:" + run + ":1:charge",
                        "run:" + run + ":1:refund",
                        "bug",
                        "bug");

        AdminCall call = call(part);
        assertThat(call.path()).isEqualTo("/api/v1/admin/billing/reversals");
        String charge =
                found.getFirst().stream()
                        .filter(row -> Objects.equals(row.get("idempotency_key"), "bug"))
                        .map(row -> String.valueOf(row.get("id")))
                        .findFirst()
                        .orElseThrow();
        UUID id = Objects.requireNonNull(PublicId.ENTRY.read(charge));
        String reason = call.body().at("/reason").asString();
        for (int again = 0; again < 2; again++) {
            assertThat(
                            fixture.runs.<Reversal>inOne(
                                    tx -> credits.reverse(tx, id, reason, UUID.randomUUID())))
                    .isInstanceOf(Reversal.Reversed.class);
        }
        assertThat(credits.balance(fixture.account).available()).isEqualByComparingTo("960");
        assertThat(credits.notices(fixture.account, null, 10)).hasSize(1);
        assertThat(anomalies()).isEmpty();
        assertThat(fixture.run(run).credits().charged()).isEqualByComparingTo("40");
    }
}
