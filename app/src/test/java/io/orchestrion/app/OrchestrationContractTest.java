package io.orchestrion.app;

import static io.orchestrion.app.OrchestrationServers.EXECUTIONS;
import static io.orchestrion.app.OrchestrationServers.retry;
import static io.orchestrion.app.OrchestrationServers.start;
import static io.orchestrion.app.OrchestrationServers.step;
import static io.orchestrion.app.OrchestrationServers.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.app.OrchestrationServers.Claimed;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// What is promised about repetitions: the same start, the same step and the same claim, sent to
/// two server processes on one database.
class OrchestrationContractTest {
    private static final int MANY = 20;

    @TempDir static Path oneData;
    @TempDir static Path otherData;
    private static OrchestrationServers servers;

    @BeforeAll
    static void begin() {
        servers = new OrchestrationServers(oneData, otherData);
    }

    @AfterAll
    static void end() {
        servers.close();
    }

    private static Reply startedUnder(int server, String key, String body) {
        return servers.at(server).with("Idempotency-Key", key).post(EXECUTIONS, body);
    }

    private static int executionsOf(String definition) {
        return servers.at(1).get(EXECUTIONS + "?definition_id=" + definition).at("/items").size();
    }

    /// E-225: one after the other.
    @Test
    void the_same_start_at_either_server_is_one_execution() {
        String definition = servers.published(retry(1, 0), task("same_start", ""));
        String body = start(definition, "1", "{\"cents\":12}");
        Reply first = startedUnder(0, "sequential", body);
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        for (int i = 0; i < 4; i++) {
            Reply again = startedUnder(i, "sequential", body);
            assertThat(again.status()).as(again.text()).isEqualTo(200);
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(again.text("/execution_id")).isEqualTo(first.text("/execution_id"));
        }
        // The key in the body is the same key.
        Reply inBody =
                servers.at(1)
                        .post(
                                EXECUTIONS,
                                body.replaceFirst("\\{", "{\"idempotency_key\":\"sequential\","));
        assertThat(inBody.status()).as(inBody.text()).isEqualTo(200);
        assertThat(inBody.text("/execution_id")).isEqualTo(first.text("/execution_id"));
        assertThat(executionsOf(definition)).isEqualTo(1);

        assertThat(servers.claimed(1, "same_start").complete(1).status()).isEqualTo(200);
        assertThat(servers.nothingToClaim("same_start")).isTrue();
        Reply later = startedUnder(1, "sequential", body);
        assertThat(later.status()).isEqualTo(200);
        assertThat(later.text("/status")).isEqualTo("succeeded");
        assertThat(servers.nothingToClaim("same_start")).isTrue();
    }

    /// E-225: at once.
    @Test
    void twenty_equal_starts_at_once_over_both_servers_are_one_execution() {
        String definition = servers.published(retry(1, 0), task("at_once", ""));
        String body = start(definition, "1", "{}");
        List<Reply> all = Parallel.run(MANY, i -> () -> startedUnder(i, "concurrent", body));
        assertThat(all)
                .allMatch(
                        reply ->
                                reply.status() == 201
                                        || reply.status() == 200
                                        || reply.error().equals("idempotency_in_flight"));
        assertThat(all).filteredOn(reply -> reply.status() == 201).hasSize(1);
        Set<String> ids = new HashSet<>();
        all.stream()
                .filter(reply -> reply.error().isEmpty())
                .forEach(reply -> ids.add(reply.text("/execution_id")));
        for (int i = 0; i < 2; i++) {
            ids.add(startedUnder(i, "concurrent", body).text("/execution_id"));
        }
        assertThat(ids).hasSize(1);
        assertThat(executionsOf(definition)).isEqualTo(1);
        assertThat(servers.claimed(0, "at_once").of("execution_id"))
                .isEqualTo(ids.iterator().next());
        assertThat(servers.nothingToClaim("at_once")).isTrue();
    }

    /// E-225: another body.
    @Test
    void another_start_under_the_same_key_is_refused_at_either_server() {
        String definition = servers.published(retry(1, 0), task("conflict", ""));
        String elsewhere = servers.published(retry(1, 0), task("elsewhere", ""));
        assertThat(startedUnder(0, "conflict", start(definition, "1", "{\"n\":1}")).status())
                .isEqualTo(201);
        List<String> others =
                List.of(
                        start(definition, "1", "{\"n\":2}"),
                        start(definition, "2", "{\"n\":1}"),
                        start(elsewhere, "1", "{\"n\":1}"));
        for (int i = 0; i < 2 * others.size(); i++) {
            Reply refused = startedUnder(i, "conflict", others.get(i / 2));
            assertThat(refused.status()).as(refused.text()).isEqualTo(409);
            assertThat(refused.error()).isEqualTo("idempotency_conflict");
        }
        assertThat(executionsOf(definition)).isEqualTo(1);
        assertThat(executionsOf(elsewhere)).isZero();
    }

    /// E-225: two bodies at once. One of them wins, and nobody is told that the other did.
    @Test
    void of_two_starts_under_one_key_at_once_one_wins() {
        String definition = servers.published(retry(1, 0), task("rivals", ""));
        List<Reply> all =
                Parallel.run(
                        MANY,
                        i ->
                                () ->
                                        startedUnder(
                                                i,
                                                "rivals",
                                                start(definition, "t" + i / 2 % 2, "{}")));
        assertThat(all).filteredOn(reply -> reply.status() == 201).hasSize(1);
        assertThat(executionsOf(definition)).isEqualTo(1);
        String winner =
                servers.at(0)
                        .get(EXECUTIONS + "?definition_id=" + definition)
                        .text("/items/0/target_object_id");
        for (int i = 0; i < all.size(); i++) {
            Reply reply = all.get(i);
            boolean same = winner.equals("t" + i / 2 % 2);
            List<String> right =
                    same
                            ? List.of("", "idempotency_in_flight")
                            : List.of("idempotency_conflict", "idempotency_in_flight");
            assertThat(right).as(reply.text()).contains(reply.error());
        }
    }

    /// E-226: a worker that is lost after the effect, one that fails after it, and one whose report
    /// is repeated.
    @Test
    void a_step_that_workers_do_several_times_has_one_effect_by_its_key() {
        String definition =
                servers.published(
                        retry(5, 0),
                        task("charge", ",\"on_success\":\"receipt\""),
                        task("receipt", ""));
        String execution = servers.started(definition);

        // The server forgets the worker, which goes on all the same.
        Claimed lost = servers.claimed(0, "charge");
        lost.hasEffect("/charge");
        lapse(lost);
        Claimed failing = servers.claimed(1, "charge");
        failing.hasEffect("/charge");
        lost.hasEffect("/charge");
        assertThat(lost.complete(1).status()).isEqualTo(409);
        assertThat(failing.fail(0, "\"code\":\"unavailable\"").status()).isEqualTo(200);
        assertThat(failing.fail(1, "\"code\":\"unavailable\"").status()).isEqualTo(200);

        Claimed last = servers.claimed(0, "charge");
        last.hasEffect("/charge");
        List<Reply> reports = Parallel.run(MANY, i -> () -> last.complete(i));
        assertThat(reports).as(reports.toString()).allMatch(reply -> reply.status() == 200);
        assertThat(last.complete(1).text()).isEqualTo(last.complete(0).text());
        assertThat(failing.complete(1).status()).isEqualTo(409);

        Claimed next = servers.claimed(1, "receipt");
        next.hasEffect("/charge");
        assertThat(servers.nothingToClaim("receipt")).isTrue();
        assertThat(next.complete(1).status()).isEqualTo(200);
        servers.awaitStatus(execution, "succeeded");
        assertThat(servers.attempts(execution))
                .containsExactly(
                        "charge#1 failed",
                        "charge#2 failed",
                        "charge#3 succeeded",
                        "receipt#1 succeeded");
        assertThat(List.of(lost, failing, last))
                .extracting(each -> each.of("attempt_number"))
                .containsExactly("1", "2", "3");
        assertThat(List.of(lost, failing, last))
                .extracting(each -> each.of("idempotency_key"))
                .containsOnly(lost.of("idempotency_key"));
        assertThat(next.of("idempotency_key")).isNotEqualTo(lost.of("idempotency_key"));
        // Five requests: one effect of the charge and one of the receipt.
        assertThat(servers.receiver().got("/charge")).hasSize(5);
        assertThat(servers.effects("/charge")).isEqualTo(2);
    }

    /// The worker is not heard of any more.
    private static void lapse(Claimed claimed) {
        assertThat(
                        servers.database()
                                .execute(
                                        """
                                        update work set lease_until_ms = 1, lease_check_ms = 1
                                         where id = ?::uuid
                                        """,
                                        claimed.id()))
                .isEqualTo(1);
    }

    /// E-226: the answers of a service that did what it was asked for are lost or bad.
    @Test
    void a_call_and_a_notice_that_are_repeated_have_one_effect_by_their_key() {
        String definition =
                servers.published(
                        retry(5, 0),
                        step(
                                "call",
                                "external_call",
                                ",\"handler\":\"http:%s\",\"on_success\":\"tell\""
                                        .formatted(servers.receiver().url("/call"))),
                        step(
                                "tell",
                                "notify",
                                ",\"handler\":\"http:%s\""
                                        .formatted(servers.receiver().url("/tell"))));
        for (String path : List.of("/call", "/tell")) {
            var requests = new AtomicInteger();
            servers.receiver()
                    .on(
                            path,
                            (_, out) -> {
                                switch (requests.incrementAndGet()) {
                                    case 1 -> HookReceiver.say(out, 503, "");
                                    case 2 -> out.close();
                                    default -> HookReceiver.say(out, 200, "");
                                }
                            });
        }
        String execution = servers.started(definition);
        servers.awaitStatus(execution, "succeeded");
        assertThat(servers.attempts(execution))
                .containsExactly(
                        "call#1 failed",
                        "call#2 failed",
                        "call#3 succeeded",
                        "tell#1 failed",
                        "tell#2 failed",
                        "tell#3 succeeded");
        for (String path : List.of("/call", "/tell")) {
            assertThat(servers.receiver().got(path)).hasSize(3);
            assertThat(servers.effects(path)).as(path).isEqualTo(1);
        }
    }

    /// E-229.
    @Test
    void of_many_who_claim_a_step_at_both_servers_one_gets_it() {
        String definition = servers.published(retry(2, 0), task("single", ""));
        String execution = servers.started(definition);
        Claimed holder = onlyOne(claims(2 * MANY, "single"));
        lapse(holder);
        // Once more, for the attempt that follows.
        var all = new ArrayList<Claimed>();
        Until.isTrue(
                "the attempt that follows is claimed",
                OrchestrationServers.PATIENCE,
                () -> all.addAll(claims(MANY, "single")));
        Claimed first = onlyOne(all);
        assertThat(claims(MANY, "single")).isEmpty();
        assertThat(first.of("attempt_number")).isEqualTo("2");
        assertThat(holder.complete(1).status()).isEqualTo(409);
        assertThat(servers.status(execution)).isEqualTo("running");
        assertThat(first.complete(1).status()).isEqualTo(200);
        assertThat(servers.status(execution)).isEqualTo("succeeded");
    }

    /// E-229: as many steps as there are, each once.
    @Test
    void many_steps_are_shared_out_by_both_servers_each_once() {
        String definition = servers.published(retry(1, 0), task("shared", ""));
        var executions = new HashSet<String>();
        for (int i = 0; i < MANY; i++) {
            executions.add(servers.started(definition));
        }
        var all = new ArrayList<Claimed>();
        Until.isTrue(
                "all steps are claimed",
                OrchestrationServers.PATIENCE,
                () -> {
                    all.addAll(claims(2 * MANY, "shared"));
                    return all.size() >= MANY;
                });
        assertThat(all).extracting(Claimed::id).doesNotHaveDuplicates();
        assertThat(all.stream().map(each -> each.of("execution_id")).collect(Collectors.toSet()))
                .isEqualTo(executions);
        assertThat(claims(MANY, "shared")).isEmpty();
        // Each step ends once, whoever reports it and where.
        assertThat(Parallel.run(MANY, i -> () -> all.get(i).complete(i + 1).status()))
                .containsOnly(200);
        assertThat(executions).allMatch(each -> servers.status(each).equals("succeeded"));
    }

    private static List<Claimed> claims(int count, String type) {
        return Parallel.run(count, i -> () -> new Claimed(servers, servers.claim(i, type))).stream()
                .filter(Claimed::isThere)
                .toList();
    }

    private static Claimed onlyOne(List<Claimed> claimed) {
        assertThat(claimed).hasSize(1);
        return claimed.getFirst();
    }
}
