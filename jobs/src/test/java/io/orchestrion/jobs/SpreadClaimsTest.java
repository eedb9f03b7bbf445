package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/// Claims of jobs on a database whose tables are spread by account, as far as it says so itself:
/// the rows are on one machine here.
@Timeout(180)
class SpreadClaimsTest {
    private static final Duration ENOUGH = Duration.ofSeconds(30);

    private final JobsFixture fixture = new JobsFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void spread() {
        fixture.database().execute("create table pg_dist_partition (logicalrelid regclass)");
        fixture.database().execute("insert into pg_dist_partition values ('work')");
    }

    /// A server on that database.
    private record Node(Kernel kernel, Jobs jobs) implements AutoCloseable {
        @Override
        public void close() {
            jobs.close();
            kernel.close();
        }
    }

    private Node node(JobsOptions options) {
        return node(options, kernel -> kernel);
    }

    private Node node(JobsOptions options, UnaryOperator<KernelOptions> with) {
        Kernel kernel =
                fixture.test.anotherNode(
                        each -> with.apply(each.withOwners(List.of(Jobs.owner()))));
        return new Node(kernel, new Jobs(kernel, options, JobsFixture.DEFINITIONS));
    }

    private List<UUID> accounts(int many) {
        var accounts = new ArrayList<UUID>();
        for (int i = 0; i < many; i++) {
            accounts.add(fixture.test.account());
        }
        return accounts;
    }

    /// One job of each account after the other, so many times.
    private List<UUID> submit(List<UUID> accounts, int rounds) {
        var ids = new ArrayList<UUID>();
        for (int round = 0; round < rounds; round++) {
            for (UUID account : accounts) {
                ids.add(fixture.submit(NewJob.of(account, JobType.EXECUTE)).id());
            }
        }
        return ids;
    }

    private static List<UUID> ids(List<Assigned> given) {
        return given.stream().map(one -> one.job().id()).toList();
    }

    private long transactionsThatWrote(String event) {
        return fixture.database()
                .<Long>value("select count(distinct tx_id) from work_event where event = ?", event);
    }

    private long transactionsOverSeveralAccounts() {
        return fixture.database()
                .<Long>value(
                        "select count(*) from (select tx_id from event_chunk group by tx_id"
                                + " having count(distinct account_id) > 1) as spanning");
    }

    private long active() {
        return fixture.database()
                .<Long>value("select count(*) from work where state in ('leased', 'running')");
    }

    @Test
    void each_accounts_part_of_a_claim_is_a_transaction_of_its_own_and_the_order_stays() {
        List<UUID> submitted = submit(accounts(3), 2);
        spread();
        try (Node node = node(JobsOptions.DEFAULT)) {
            assertThat(ids(node.jobs().claim("runner", 6))).isEqualTo(submitted);
        }
        assertThat(transactionsThatWrote("lease")).isEqualTo(3);
        assertThat(transactionsOverSeveralAccounts()).isZero();
        assertThat(fixture.impossible()).isEmpty();
    }

    @Test
    void on_one_machine_a_claim_is_one_transaction() {
        List<UUID> submitted = submit(accounts(3), 2);
        assertThat(ids(fixture.jobs.claim("runner", 6))).isEqualTo(submitted);
        assertThat(transactionsThatWrote("lease")).isEqualTo(1);
    }

    @Test
    void jobs_go_one_by_one_in_the_order_in_which_they_came_whoevers_they_are() {
        List<UUID> submitted = submit(accounts(3), 3);
        spread();
        try (Node one = node(JobsOptions.DEFAULT);
                Node other = node(JobsOptions.DEFAULT)) {
            var given = new ArrayList<UUID>();
            for (int i = 0; i < submitted.size(); i++) {
                given.addAll(ids((i % 2 == 0 ? one : other).jobs().claim("runner", 1)));
            }
            assertThat(given).isEqualTo(submitted);
        }
    }

    @Test
    void what_is_due_is_queued_account_by_account_before_it_is_given_out() {
        List<UUID> accounts = accounts(2);
        for (UUID account : accounts) {
            fixture.submit(NewJob.of(account, JobType.EXECUTE).at(fixture.now() + 5_000));
        }
        fixture.advance(Duration.ofSeconds(6));
        spread();
        try (Node node = node(JobsOptions.DEFAULT)) {
            assertThat(node.jobs().claim("runner", 5)).hasSize(2);
        }
        // A job that waits for its time writes its first line alone.
        assertThat(transactionsThatWrote("promote")).isEqualTo(2);
        assertThat(transactionsOverSeveralAccounts()).isZero();
        assertThat(fixture.impossible()).isEmpty();
    }

    /// J-280, J-246.
    @Test
    void no_more_are_given_than_may_be_active() {
        JobsOptions options = JobsFixture.bounds(5, 1_000, 0);
        submit(accounts(4), 3);
        spread();
        try (Node node = node(options);
                Node other = node(options)) {
            List<Assigned> given = node.jobs().claim("runner", 10);
            assertThat(given).hasSize(5);
            assertThat(other.jobs().claim("runner", 10)).isEmpty();
            Job first = given.getFirst().job();
            assertThat(node.jobs().cancel(first.account(), first.id()))
                    .isInstanceOf(JobAck.Done.class);
            assertThat(other.jobs().claim("runner", 10)).hasSize(1);
            assertThat(active()).isEqualTo(5);
        }
    }

    /// J-280, J-378, S-03: from two nodes, while jobs of many accounts end and begin.
    @Test
    void the_bound_holds_while_two_nodes_claim_at_once() {
        JobsOptions options = JobsFixture.bounds(5, 1_000, 0);
        int all = submit(accounts(6), 6).size();
        spread();
        try (Node one = node(options);
                Node other = node(options)) {
            var done = new AtomicLong();
            var over = new AtomicBoolean();
            var most = new AtomicLong();
            Parallel.run(
                    7,
                    i ->
                            () -> {
                                while (i == 6 && !over.get()) {
                                    most.accumulateAndGet(active(), Math::max);
                                }
                                Jobs mine = (i % 2 == 0 ? one : other).jobs();
                                while (i < 6 && !over.get()) {
                                    for (Assigned each : mine.claim("r" + i, 2)) {
                                        mine.start(each);
                                        mine.complete(each, JobsFixture.output(each));
                                        over.set(done.incrementAndGet() == all);
                                    }
                                }
                                return i;
                            });
            assertThat(done.get()).isEqualTo(all);
            assertThat(most.get()).isBetween(1L, 5L);
        }
        assertThat(transactionsOverSeveralAccounts()).isZero();
        assertThat(fixture.impossible()).isEmpty();
        assertThat(fixture.unaccounted()).isEmpty();
    }

    /// What was given is there for everybody before anybody else may count: also where a commit is
    /// seen later than its locks are gone.
    @Test
    void the_parts_are_committed_before_the_next_claim_counts() throws Exception {
        JobsOptions options = JobsFixture.bounds(4, 1_000, 0);
        List<UUID> submitted = submit(accounts(3), 2);
        spread();
        var failpoints = new Failpoints();
        var reached = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (Node one = node(options, kernel -> kernel.withFailpoints(failpoints));
                Node other = node(options)) {
            failpoints.arm(
                    "job-claim.before-commit",
                    () -> {
                        reached.countDown();
                        await(goOn);
                    });
            var first = CompletableFuture.supplyAsync(() -> one.jobs().claim("one", 3));
            await(reached);
            assertThat(active()).isEqualTo(3);
            var second = CompletableFuture.supplyAsync(() -> other.jobs().claim("other", 3));
            Until.isTrue("the other waits for its turn", ENOUGH, this::somebodyWaits);
            assertThat(active()).isEqualTo(3);
            goOn.countDown();
            assertThat(ids(first.get(30, TimeUnit.SECONDS))).isEqualTo(submitted.subList(0, 3));
            assertThat(ids(second.get(30, TimeUnit.SECONDS))).isEqualTo(submitted.subList(3, 4));
        }
    }

    private boolean somebodyWaits() {
        return fixture.database()
                        .<Long>value(
                                "select count(*) from pg_stat_activity where datname ="
                                        + " current_database() and wait_event_type = 'Lock'")
                > 0;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void an_account_that_fails_keeps_nothing_from_the_others() {
        List<UUID> accounts = accounts(3);
        List<UUID> submitted = submit(accounts, 2);
        spread();
        fixture.database()
                .execute(
                        "create function refuse() returns trigger language plpgsql as $$ begin"
                                + " raise exception 'refused' using errcode = '23514'; end $$");
        fixture.database()
                .execute(
                        "create trigger refuse before update on work for each row when"
                                + " (new.state = 'leased' and new.account_id = '"
                                + accounts.getFirst()
                                + "') execute function refuse()");
        try (Node node = node(JobsOptions.DEFAULT)) {
            assertThat(ids(node.jobs().claim("runner", 6)))
                    .containsExactly(
                            submitted.get(1), submitted.get(2), submitted.get(4), submitted.get(5));
            assertThatThrownBy(() -> node.jobs().claim("runner", 6))
                    .isInstanceOf(StoreException.class);
            fixture.database().execute("drop trigger refuse on work");
            assertThat(ids(node.jobs().claim("runner", 6)))
                    .containsExactly(submitted.get(0), submitted.get(3));
        }
        assertThat(fixture.impossible()).isEmpty();
    }

    @Test
    void what_somebody_else_is_writing_is_passed_over_and_comes_later() throws Exception {
        List<UUID> submitted = submit(accounts(2), 2);
        spread();
        try (Node node = node(JobsOptions.DEFAULT)) {
            try (Connection holder = fixture.database().connect();
                    var statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute(
                        "select 1 from work where id = '" + submitted.get(0) + "' for update");
                assertThat(ids(node.jobs().claim("runner", 2)))
                        .contains(submitted.get(1))
                        .doesNotContain(submitted.get(0));
                holder.rollback();
            }
            assertThat(ids(node.jobs().claim("runner", 10))).startsWith(submitted.get(0));
        }
    }

    @Test
    void one_claim_goes_through_so_many_accounts_and_the_next_goes_on() {
        List<UUID> submitted = submit(accounts(60), 1);
        spread();
        try (Node node = node(JobsOptions.DEFAULT)) {
            assertThat(ids(node.jobs().claim("runner", 60))).isEqualTo(submitted.subList(0, 50));
            assertThat(ids(node.jobs().claim("runner", 60))).isEqualTo(submitted.subList(50, 60));
        }
        assertThat(transactionsThatWrote("lease")).isEqualTo(60);
    }

    /// The transaction that holds the turn is ended when it takes too long. A part that would be
    /// committed near that moment is left to the next claim.
    @Test
    void no_part_is_committed_late_in_the_time_of_the_claim() {
        List<UUID> submitted = submit(accounts(2), 1);
        spread();
        DatabaseOptions usual = fixture.database().options();
        var failpoints = new Failpoints();
        var parts = new AtomicInteger();
        failpoints.arm(
                "pool.before-commit",
                () -> {
                    if (Deadline.set() && parts.incrementAndGet() == 2) {
                        Until.isTrue("time passes", ENOUGH, () -> Deadline.nanosLeft(1) <= 0);
                    }
                });
        try (Node node =
                node(
                        JobsOptions.DEFAULT,
                        kernel ->
                                kernel.withFailpoints(failpoints)
                                        .withDatabase(
                                                usual.withTimeouts(
                                                        usual.statementTimeout(),
                                                        Duration.ofSeconds(8),
                                                        usual.lockTimeout())))) {
            assertThat(ids(node.jobs().claim("runner", 2))).containsExactly(submitted.get(0));
            assertThat(active()).isEqualTo(1);
            assertThat(ids(node.jobs().claim("runner", 2))).containsExactly(submitted.get(1));
        }
    }

    /// L-028.
    @Test
    void a_share_holds_there_as_well() {
        List<UUID> accounts = accounts(2);
        submit(accounts.subList(0, 1), 5);
        List<UUID> second = submit(accounts.subList(1, 2), 1);
        spread();
        try (Node node = node(JobsFixture.bounds(100, 1_000, 2))) {
            List<Assigned> given = node.jobs().claim("runner", 3);
            assertThat(ids(given)).containsAll(second).hasSize(3);
            assertThat(node.jobs().claim("runner", 5)).hasSize(3);
        }
    }
}
