package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The lanes of the doors' calls: apart from each other, and back after the database was away.
class LanesTest {
    private final WorkFixture fixture =
            new WorkFixture(
                    options ->
                            options.withWork(new Work.Options(2, 50, 20, Duration.ofSeconds(20))));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_payload_that_the_database_refuses_fails_alone() {
        // A NUL cannot be stored as text; a door would refuse it, the kernel must live with it.
        NewWork bad = NewWork.of(fixture.account, Profiles.TASKS, "build", "{\"n\": \"\u0000\"}");
        NewWork worse = NewWork.of(fixture.account, Profiles.TASKS, "build", "\u0000");
        List<Object> answers =
                Parallel.run(
                        40,
                        i ->
                                () -> {
                                    try {
                                        return fixture.submit(
                                                i % 10 == 3
                                                        ? bad
                                                        : i % 10 == 7
                                                                ? worse
                                                                : fixture.draft(Profiles.TASKS));
                                    } catch (StoreException e) {
                                        return e.kind();
                                    }
                                });
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i))
                    .as("request " + i)
                    .matches(
                            i % 10 == 3 || i % 10 == 7
                                    ? Kind.REJECTED::equals
                                    : UUID.class::isInstance);
        }
        assertThat((Long) fixture.database().value("select count(*) from work")).isEqualTo(32);
    }

    @Test
    void an_account_that_does_not_exist_fails_alone() {
        NewWork bad = NewWork.of(UUID.randomUUID(), Profiles.TASKS, "build", "{}");
        assertThatThrownBy(() -> fixture.submit(bad)).hasMessageContaining("does not exist");
        assertThat(fixture.submit(Profiles.TASKS)).isNotNull();
    }

    @Test
    void holders_are_served_while_every_other_lane_is_stuck() throws Exception {
        fixture.submit(Profiles.TASKS);
        fixture.submit(Profiles.TASKS);
        List<WorkView> held = fixture.claim(Profiles.TASKS, 2);
        var release = new CountDownLatch(1);
        var parked = new CountDownLatch(2);
        for (String lane : List.of("submit", "submit-keyed", "claim", "command")) {
            fixture.test
                    .failpoints()
                    .arm(
                            lane + ".before-commit",
                            () -> {
                                parked.countDown();
                                release.await();
                            });
        }
        var stuck = new ArrayList<CompletableFuture<?>>();
        var executor = Executors.newVirtualThreadPerTaskExecutor();
        for (int i = 0; i < 40; i++) {
            stuck.add(CompletableFuture.runAsync(() -> fixture.submit(Profiles.TASKS), executor));
            stuck.add(CompletableFuture.runAsync(() -> fixture.claim(Profiles.QUEUE, 1), executor));
        }
        parked.await();
        for (WorkView view : held) {
            UUID id = view.item().id();
            for (int i = 0; i < 10; i++) {
                fixture.apply(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE));
            }
        }
        fixture.apply(
                Profiles.TASKS,
                held.getFirst().item().id(),
                new Command.Complete(Fence.NONE, null, null));
        fixture.apply(
                Profiles.TASKS,
                held.getLast().item().id(),
                new Command.Fail(Fence.NONE, "no", null, true));
        assertThat(stuck).noneMatch(CompletableFuture::isDone);
        release.countDown();
        for (var call : stuck) {
            call.get(60, TimeUnit.SECONDS);
        }
    }

    private void killAllConnections() {
        fixture.database()
                .rows(
                        "select pg_terminate_backend(pid) from pg_stat_activity where datname ="
                                + " current_database() and pid <> pg_backend_pid()");
        Until.isTrue(
                "they are gone",
                Duration.ofSeconds(10),
                () ->
                        (Long)
                                        fixture.database()
                                                .value(
                                                        "select count(*) from pg_stat_activity"
                                                            + " where datname = current_database()"
                                                            + " and application_name ="
                                                            + " 'orchestrion'")
                                == 0);
    }

    @Test
    void calls_after_all_connections_were_killed_work_as_if_nothing_had_been() {
        for (int round = 0; round < 3; round++) {
            UUID id = fixture.submit(Profiles.TASKS);
            killAllConnections();
            fixture.submit(Profiles.QUEUE);
            fixture.work().submit(fixture.keyed(Profiles.QUEUE, "k" + round));
            assertThat(fixture.claim(Profiles.TASKS).id()).isEqualTo(id);
            fixture.apply(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE));
            fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, "{}", null));
            assertThat(fixture.item(Profiles.TASKS, id).state()).isEqualTo(WorkState.SUCCEEDED);
            assertThat(fixture.sweep("lease-reaper")).isZero();
        }
    }

    @Test
    void a_connection_killed_in_the_middle_fails_its_own_calls_only_and_stores_nothing()
            throws Exception {
        var release = new CountDownLatch(1);
        var parked = new CountDownLatch(1);
        fixture.test
                .failpoints()
                .arm(
                        "submit.before-commit",
                        () -> {
                            parked.countDown();
                            release.await();
                        });
        var call = CompletableFuture.supplyAsync(() -> fixture.submit(Profiles.TASKS));
        parked.await();
        killAllConnections();
        release.countDown();
        assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));
        fixture.test.failpoints().disarm("submit.before-commit");
        assertThat((Long) fixture.database().value("select count(*) from work")).isZero();
        fixture.submit(Profiles.TASKS);
        assertThat((Long) fixture.database().value("select count(*) from work")).isEqualTo(1);
    }

    @Test
    void a_lane_that_is_full_refuses_and_serves_again_once_it_has_room() throws Exception {
        var release = new CountDownLatch(1);
        var parked = new CountDownLatch(2);
        fixture.test
                .failpoints()
                .arm(
                        "submit.before-commit",
                        () -> {
                            parked.countDown();
                            release.await();
                        });
        var executor = Executors.newVirtualThreadPerTaskExecutor();
        var calls = new ArrayList<CompletableFuture<Object>>();
        for (int i = 0; i < 200; i++) {
            calls.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return fixture.submit(Profiles.TASKS);
                                } catch (StoreException e) {
                                    return e.kind();
                                }
                            },
                            executor));
        }
        parked.await();
        // At most two batches under way and a full lane are taken; the others are refused.
        Until.isTrue(
                "the rest is refused",
                Duration.ofSeconds(10),
                () -> calls.stream().filter(CompletableFuture::isDone).count() >= 200 - 50 - 40);
        release.countDown();
        int stored = 0;
        for (var call : calls) {
            Object answer = call.get(60, TimeUnit.SECONDS);
            if (answer instanceof UUID) {
                stored++;
            } else {
                assertThat(answer).isEqualTo(Kind.OVERLOADED);
            }
        }
        assertThat((Long) fixture.database().value("select count(*) from work"))
                .isEqualTo((long) stored);
        fixture.test.failpoints().disarm("submit.before-commit");
        fixture.submit(Profiles.TASKS);
    }
}
