package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Two processes hold to one limit, and one of them dies in the middle of it.
class FlowKillTest {
    private static final int MAX = 2;
    private static final int KEYS = 3;
    private static final int TASKS = 90;
    private static final int WORKERS = 6;
    private static final String TYPE = "import";

    @TempDir Path oneData;
    @TempDir Path otherData;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicLong mostHeld = new AtomicLong();

    @Test
    void a_limit_holds_while_a_process_is_killed_and_everything_gets_done() throws IOException {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData)) {
            String key = Files.readString(oneData.resolve("local.key")).strip();
            Api first = one.api().withKey(key);
            Api second = other.api().withKey(key);
            create(first, 0);
            limit(database, database.value("select account_id from work"));
            for (int i = 1; i < TASKS; i++) {
                create(i % 2 == 0 ? first : second, i);
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                threads.submit(() -> watch(database));
                for (int i = 0; i < WORKERS; i++) {
                    String name = i % 2 == 0 ? "one" : "other";
                    List<Api> order = i % 2 == 0 ? List.of(first, second) : List.of(second, first);
                    threads.submit(() -> workUntilOver(order, name));
                }
                Until.isTrue("a third is done", Duration.ofSeconds(120), () -> done() > TASKS / 3);
                one.kill();
                // What its workers were never told of they cannot end: their leases lapse, here
                // at once, because nobody wants to wait for them.
                database.execute(
                        "update work set lease_until_ms = 1, lease_check_ms = 1"
                                + " where state = 'running' and holder = 'one'");
                Until.isTrue(
                        "everything is done",
                        Duration.ofSeconds(120),
                        () -> succeeded(database) == TASKS);
                over.set(true);
            }
            assertThat(mostHeld).hasValueBetween(1, MAX);
        }
    }

    private int done() {
        return done.get();
    }

    private static void create(Api api, int number) {
        Reply reply =
                api.post(
                        "/v1/tasks",
                        "{\"type\":\"%s\",\"payload\":{},\"concurrencyKey\":\"k%d\",\"maxAttempts\":10}"
                                .formatted(TYPE, number % KEYS));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static void limit(TestDatabase database, UUID account) {
        database.execute(
                """
                insert into work_type (account_id, queue, kind, concurrency_max, flow, reflow,
                    created_ms, updated_ms)
                values (?, 'tasks', ?, ?, true, true, 0, 0)
                """,
                account,
                TYPE,
                MAX);
    }

    private static long succeeded(TestDatabase database) {
        return database.value("select count(*) from work where state = 'succeeded'");
    }

    /// Sees every moment's truth: all rows with a lease, whatever its time.
    private void watch(TestDatabase database) {
        while (!over.get()) {
            long held =
                    database.value(
                            """
                            select coalesce(max(held), 0)
                              from (select count(*) as held from work
                                     where state in ('leased', 'running')
                                     group by concurrency_key) as k
                            """);
            mostHeld.accumulateAndGet(held, Math::max);
        }
    }

    /// With the first server that answers.
    private void workUntilOver(List<Api> servers, String name) {
        int at = 0;
        while (!over.get()) {
            try {
                workOne(servers.get(at), name);
            } catch (Api.Unanswered e) {
                at = 1;
            }
        }
    }

    private void workOne(Api api, String name) {
        Reply claimed =
                api.post(
                        "/v1/tasks/claim",
                        "{\"type\":\"%s\",\"workerId\":\"%s\"}".formatted(TYPE, name));
        String id = claimed.text("/task/id");
        if (id.isEmpty()) {
            return;
        }
        Reply completed =
                api.post(
                        "/v1/tasks/" + id + "/complete",
                        "{\"leaseToken\":\"%s\"}".formatted(claimed.text("/leaseToken")));
        if (completed.status() == 200) {
            done.incrementAndGet();
        }
    }
}
