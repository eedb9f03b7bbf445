package io.orchestrion.kernel.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Explained;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Items that the server works on itself are claimed across accounts, within bounds, and end as
/// their handler says.
class PoolTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String LOOK = "calls";

    private final WorkFixture fixture = new WorkFixture();
    private final Parking parking = new Parking();

    @AfterEach
    void close() {
        parking.open();
        fixture.close();
    }

    private static PoolWork calls(int places, int perAccount) {
        return new PoolWork(LOOK, Profiles.BUILTIN, "http", places, perAccount)
                .withPace(Duration.ofSeconds(10), Duration.ofMillis(50));
    }

    private void handle(int places, int perAccount, Handler handler) {
        fixture.kernel().pool().add(calls(places, perAccount), handler);
    }

    private UUID submit(WorkFixture of) {
        return submit(of, Profiles.BUILTIN, "http");
    }

    private static UUID submit(WorkFixture of, Profile profile, String kind) {
        return of.submit(NewWork.of(of.account, profile, kind, "{}"));
    }

    private void submitMany(WorkFixture of, int count) {
        of.work()
                .submitAll(
                        IntStream.range(0, count)
                                .mapToObj(
                                        _ ->
                                                Submission.of(
                                                        NewWork.of(
                                                                of.account,
                                                                Profiles.BUILTIN,
                                                                "http",
                                                                "{}")))
                                .toList());
    }

    private int look() {
        return fixture.sweep(LOOK);
    }

    private void until(String what, BooleanSupplier condition) {
        Until.isTrue(what, SOON, condition);
    }

    private void awaitIdle() {
        until("all have ended", () -> status().busy() == 0);
    }

    private CrewStatus status() {
        return fixture.kernel().pool().statuses().getFirst();
    }

    private String code(UUID id) {
        return fixture.database().value("select error::json->>'code' from work where id = ?", id);
    }

    private WorkItem ended(UUID id) {
        until("it has ended", () -> fixture.item(Profiles.BUILTIN, id).state().ended());
        return fixture.item(Profiles.BUILTIN, id);
    }

    @Test
    void an_item_ends_as_its_handler_says() {
        UUID good = submit(fixture);
        handle(
                4,
                4,
                charge ->
                        charge.item().id().equals(good)
                                ? new Outcome.Completed("{\"a\":1}")
                                : new Outcome.Failed(
                                        WorkError.of("no_such_thing", "it is not there")));
        assertThat(look()).isEqualTo(1);
        assertThat(ended(good).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(fixture.view(Profiles.BUILTIN, good).documents().result())
                .isEqualTo("{\"a\":1}");
        UUID bad = submit(fixture);
        look();
        assertThat(ended(bad).state()).isEqualTo(WorkState.FAILED);
        assertThat(ended(bad).attempts().failure()).isEqualTo("it is not there");
        assertThat(code(bad)).isEqualTo("no_such_thing");
    }

    @Test
    void a_handler_that_throws_fails_its_item_and_goes_on_with_the_next() {
        handle(
                1,
                1,
                _ -> {
                    throw new AssertionError("a bug");
                });
        UUID first = submit(fixture);
        look();
        assertThat(ended(first).state()).isEqualTo(WorkState.FAILED);
        assertThat(ended(first).attempts().failure()).contains("a bug");
        assertThat(code(first)).isEqualTo(WorkError.HANDLER_FAILED);
        awaitIdle();
        UUID second = submit(fixture);
        assertThat(look()).isEqualTo(1);
        assertThat(ended(second).state()).isEqualTo(WorkState.FAILED);
    }

    @Test
    void what_is_given_back_is_anybody_s_where_it_may_be_taken_over() {
        var kernel = fixture.kernel();
        var runs = new ArrayList<Integer>();
        kernel.pool()
                .add(
                        new PoolWork("drivers", Profiles.DRIVERS, "run", 1, 1),
                        charge -> {
                            runs.add(charge.item().attempt());
                            return runs.size() < 3
                                    ? new Outcome.GivenBack()
                                    : new Outcome.Completed(null);
                        });
        UUID id = submit(fixture, Profiles.DRIVERS, "run");
        until(
                "it has ended",
                () -> {
                    kernel.sweepOnce("drivers");
                    return fixture.item(Profiles.DRIVERS, id).state().ended();
                });
        assertThat(runs).containsExactly(1, 2, 3);
        assertThat(fixture.item(Profiles.DRIVERS, id).state()).isEqualTo(WorkState.SUCCEEDED);
    }

    @Test
    void no_more_run_than_there_are_places_in_all_and_for_one_account() {
        handle(4, 3, parking);
        WorkFixture other = fixture.another();
        submitMany(fixture, 10);
        submitMany(other, 10);
        assertThat(look()).isEqualTo(4);
        until("they run", () -> parking.began.get() == 4);
        assertThat(List.of(parking.of(fixture.account), parking.of(other.account)))
                .containsExactly(2, 2);
        assertThat(look()).isZero();
        assertThat(status().busy()).isEqualTo(4);
        assertThat(status().places()).isEqualTo(4);
        for (int ended = 1; ended <= 16; ended++) {
            parking.let(1);
            int left = 4 + ended;
            until(
                    "the next runs",
                    () -> {
                        look();
                        return parking.began.get() == left;
                    });
            assertThat(parking.of(fixture.account)).isLessThanOrEqualTo(3);
            assertThat(parking.of(other.account)).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void an_account_alone_has_no_more_than_its_share() {
        handle(4, 3, parking);
        submitMany(fixture, 10);
        assertThat(look()).isEqualTo(3);
        assertThat(look()).isZero();
    }

    /// With much of one account before it, and as many places as one account may have.
    @Test
    void who_has_the_fewest_comes_next() {
        handle(3, 3, parking);
        submitMany(fixture, 20);
        assertThat(look()).isEqualTo(3);
        until("they run", () -> parking.began.get() == 3);
        WorkFixture other = fixture.another();
        submit(other);
        parking.let(1);
        until(
                "the other's turn came",
                () -> {
                    look();
                    return parking.of(other.account) == 1;
                });
        assertThat(parking.began.get()).isEqualTo(4);
    }

    /// More than one look at the table sees.
    @Test
    void a_crowd_of_one_account_hides_no_other() {
        handle(64, 1, parking);
        submitMany(fixture, QueueLook.SCANNED + 1);
        var others = new ArrayList<WorkFixture>();
        for (int i = 0; i < 8; i++) {
            WorkFixture other = fixture.another();
            submitMany(other, 2);
            others.add(other);
        }
        assertThat(look()).isEqualTo(9);
        until("they run", () -> parking.began.get() == 9);
        assertThat(others).allMatch(other -> parking.of(other.account) == 1);
    }

    @Test
    void two_nodes_never_run_an_item_at_the_same_time() {
        Parking there = parking.elsewhere();
        handle(8, 4, parking);
        try (Kernel second = fixture.test.anotherNode(options -> options)) {
            second.pool().add(calls(8, 4), there);
            int items = 60;
            WorkFixture other = fixture.another();
            submitMany(fixture, items / 2);
            submitMany(other, items / 2);
            parking.open();
            there.open();
            List<Kernel> nodes = List.of(fixture.kernel(), second);
            Parallel.run(
                    4,
                    i ->
                            () -> {
                                Until.isTrue(
                                        "all began",
                                        SOON,
                                        () -> {
                                            nodes.get(i % 2).sweepOnce(LOOK);
                                            return parking.began.get() + there.began.get() >= items;
                                        });
                                return null;
                            });
            until("all have ended", () -> open() == 0);
            assertThat(parking.began.get() + there.began.get()).isEqualTo(items);
            assertThat(parking.twice.get()).isZero();
        }
        Explained.assertAll(fixture.database());
    }

    private long open() {
        return fixture.database().value("select count(*) from work where finished_ms is null");
    }

    /// Nobody polls in this test: each pass but the first would be an hour later.
    @Test
    void what_becomes_ready_is_begun_without_waiting_for_the_next_look() {
        try (Kernel node =
                fixture.test.anotherNode(
                        options -> options.withPace(Duration.ofHours(1), Duration.ZERO, false))) {
            node.pool().add(calls(1, 1), parking);
            node.start();
            for (int i = 0; i < 3; i++) {
                node.work()
                        .submit(
                                Submission.of(
                                        NewWork.of(
                                                fixture.account, Profiles.BUILTIN, "http", "{}")));
            }
            until("the first runs", () -> parking.began.get() == 1);
            parking.let(1);
            until("a place that becomes free is used", () -> parking.began.get() == 2);
            parking.open();
            until("the last runs", () -> parking.began.get() == 3);
        }
    }

    @Test
    void a_kind_has_one_handler() {
        handle(1, 1, parking);
        assertThatThrownBy(() -> handle(2, 2, parking)).hasMessageContaining("http");
    }

    /// However much else there is.
    @Test
    void the_look_reads_its_own_index_alone() throws Exception {
        for (int i = 0; i < 50; i++) {
            fixture.submit(Profiles.TASKS);
        }
        submit(fixture);
        try (Connection connection = fixture.kernel().database().connect();
                PreparedStatement explain =
                        connection.prepareStatement(
                                "explain " + PoolSql.statements().texts().get("waiting"))) {
            explain.setString(1, "builtin");
            explain.setString(2, "http");
            explain.setObject(3, new UUID(0, 0));
            explain.setInt(4, 100);
            var plan = new StringBuilder();
            try (ResultSet lines = explain.executeQuery()) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            assertThat(plan.toString()).contains("work_pool").doesNotContain("Seq Scan");
            assertThat(plan.toString()).doesNotContain("Sort");
        }
    }
}
