package io.orchestrion.server.statements;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.TestClock;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/// The data of an older release is whole after its migration, and can be worked on. `kept.sql` is
/// the dump of a database that a server of release 0.1 with 28 migrations wrote: tasks in all
/// states, items of the queue, jobs, a schedule, a receiver with a delivery, keys, a worker token.
class KeptDataTest {
    /// Tables that migrations drop. Nothing was in them.
    private static final List<String> GONE = List.of("outbox");

    private static final UUID ACCOUNT = UUID.fromString("01a1ee93-a601-7142-9096-e17df98442f1");

    /// It opens nothing but the dump.
    private static final String KEY =
            "orch_live_" + "2f6cb4587dfca95f10efe085bc86ba04853aa7e03a7c83f8f5b3b96450d6909c";

    /// What a restore into another cluster and the migration itself write to.
    private static final List<String> MAY_CHANGE = List.of("schema_migration", "event_era");

    private final TestDatabase database = TestPostgres.get().emptyDatabase();
    private final TestClock clock = new TestClock();
    private Map<String, Long> before;
    private List<Map<String, Object>> items;
    private Kernel kernel;

    @BeforeEach
    void restoreAndMigrate() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                var dump =
                        Objects.requireNonNull(
                                KeptDataTest.class.getResourceAsStream("kept.sql"))) {
            statement.execute(new String(dump.readAllBytes(), StandardCharsets.UTF_8));
        }
        before = rows();
        items = items();
        // Past every time in the dump, whenever this runs.
        clock.advance(Duration.ofDays(60));
        kernel =
                new Kernel(
                        KernelOptions.on(database.options())
                                .withClock(clock)
                                .withTicker(clock)
                                .withPace(Duration.ofMillis(50), Duration.ZERO, false)
                                .withSchema(Doors.SCHEMA)
                                .withOwners(List.of(Jobs.owner())));
        kernel.migrate();
    }

    @AfterEach
    void close() {
        kernel.close();
        database.close();
    }

    private Map<String, Long> rows() {
        var rows = new TreeMap<String, Long>();
        for (var table :
                database.rows("select tablename from pg_tables where schemaname = 'orchestrion'")) {
            String name = (String) table.get("tablename");
            rows.put(name, database.value("select count(*) from " + name));
        }
        return rows;
    }

    private List<Map<String, Object>> items() {
        return List.copyOf(
                database.rows(
                        "select id, profile, kind, state, wait_reason, attempt, lease_number,"
                                + " lease_token, holder, payload, result, failure, event_seq,"
                                + " history from work order by id"));
    }

    @Test
    void nothing_is_lost_or_changed() {
        Map<String, Long> after = rows();
        before.forEach(
                (table, count) -> {
                    if (GONE.contains(table)) {
                        assertThat(count).as(table).isZero();
                    } else if (!MAY_CHANGE.contains(table)) {
                        assertThat(after).as(table).containsEntry(table, count);
                    }
                });
        assertThat(items()).isEqualTo(items);
        assertThat(items)
                .extracting(item -> item.get("state"))
                .contains(
                        "waiting", "ready", "running", "succeeded", "failed", "dead", "cancelled");
    }

    @Test
    void keys_open_the_door_and_what_is_known_of_the_account_is_there() {
        Principal owner = kernel.identity().authenticate(KEY);
        assertThat(owner).isNotNull();
        assertThat(owner.accountId()).isEqualTo(ACCOUNT);
        assertThat(kernel.keys().list(ACCOUNT, null, 10)).hasSize(2);
        assertThat(kernel.audit().oldestFirst(ACCOUNT, 0, 100)).isNotEmpty();
    }

    @Test
    void what_is_ready_is_claimed_and_completed_and_lapsed_leases_come_back() {
        // Two that were ready, one that was to be tried again, and one whose time has come.
        assertThat(finish(Profiles.TASKS, "kept", 10)).isEqualTo(4);
        assertThat(finish(Profiles.TASKS, "other", 10)).isEqualTo(2);
        // One of the others was the parent of a third.
        kernel.sweepOnce("dependency-resolver");
        assertThat(finish(Profiles.TASKS, "other", 10)).isEqualTo(1);

        kernel.sweepOnce("lease-reaper");
        // What comes back from a lapsed lease may wait a while.
        clock.advance(Duration.ofDays(1));
        assertThat(finish(Profiles.TASKS, "kept", 10)).isEqualTo(1);
        assertThat(
                        (Long)
                                database.value(
                                        "select count(*) from work where queue = 'tasks'"
                                                + " and state not in ('succeeded', 'dead',"
                                                + " 'cancelled')"))
                .isZero();
    }

    /// All that can be claimed; the account's plan lets it hold few at a time.
    private int finish(Profile profile, String kind, int most) {
        int finished = 0;
        int more = finishSome(profile, kind, most);
        while (more > 0) {
            finished += more;
            more = finishSome(profile, kind, most);
        }
        return finished;
    }

    private int finishSome(Profile profile, String kind, int most) {
        List<WorkView> claimed =
                kernel.work()
                        .claim(
                                new ClaimRequest(
                                        ACCOUNT, profile.queue(), kind, most, "later", null),
                                Duration.ZERO)
                        .items();
        for (WorkView view : claimed) {
            Ack ack =
                    kernel.work()
                            .command(
                                    new Order(
                                            ACCOUNT,
                                            profile,
                                            view.item().id(),
                                            new Command.Complete(Fence.NONE, "{}", null),
                                            false));
            assertThat(((Ack.Applied) ack).item().state()).isEqualTo(WorkState.SUCCEEDED);
        }
        return claimed.size();
    }

    @Test
    void the_events_are_told_in_order_the_old_ones_and_those_that_come() {
        List<FeedEvent> old = events();
        assertThat(old).hasSize(written(items));
        finish(Profiles.TASKS, "kept", 10);
        List<FeedEvent> all = events();
        assertThat(all.subList(0, old.size())).isEqualTo(old);
        assertThat(all).hasSize(written(items())).hasSizeGreaterThan(old.size());
        var last = new HashMap<UUID, Integer>();
        long position = 0;
        for (FeedEvent event : all) {
            assertThat(event.position()).isGreaterThanOrEqualTo(position);
            assertThat(event.entry().seq()).isEqualTo(last.merge(event.workId(), 1, Integer::sum));
            position = event.position();
        }
    }

    private static int written(List<Map<String, Object>> items) {
        return items.stream()
                .filter(item -> item.get("profile").equals("tasks"))
                .mapToInt(item -> (Integer) item.get("event_seq"))
                .sum();
    }

    private List<FeedEvent> events() {
        var all = new ArrayList<FeedEvent>();
        var query = new EventQuery(ACCOUNT, List.of("tasks"), null, null);
        EventCursor at = EventCursor.START;
        boolean more = true;
        while (more) {
            var page = kernel.events().read(query, at, 7);
            all.addAll(page.items());
            at = page.next();
            more = page.more();
        }
        return all;
    }
}
