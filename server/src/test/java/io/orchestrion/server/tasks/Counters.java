package io.orchestrion.server.tasks;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.TestDatabase;

import java.time.Duration;
import java.util.UUID;

/// Counters set by hand, so that no test has to make thousands of requests.
record Counters(TestServer server) {
    private static final UUID NOBODY = new UUID(0, 0);

    /// So many requests with the account's first key in this minute.
    void ofKey(TaskApi account, String limit, int used) {
        UUID id = UUID.fromString(account.accountId());
        UUID key = database().value("select key_id from api_key where account_id = ? limit 1", id);
        set(id, "key:" + key, limit, 60_000, used);
    }

    void ofAccount(TaskApi account, String limit, int used) {
        set(UUID.fromString(account.accountId()), "account", limit, 60_000, used);
    }

    void ofAddress(String address, String limit, long slotMs, int used) {
        set(NOBODY, "address:" + address, limit, slotMs, used);
    }

    private void set(UUID account, String subject, String limit, long slotMs, int used) {
        long step = new Stored(server).nowMs() / slotMs;
        database()
                .execute(
                        "insert into allowance as a (account_id, subject, bucket, step, counts,"
                            + " total, idle_ms) values (?, ?, ?, ?, array[?] || array_fill(0,"
                            + " array[59]), ?, ?) on conflict (account_id, subject, bucket) do"
                            + " update set step = excluded.step, counts = excluded.counts, total ="
                            + " excluded.total",
                        account,
                        subject,
                        limit,
                        step,
                        used,
                        used,
                        (step + 60) * slotMs);
    }

    void monthOf(TaskApi account, int tasks) {
        database()
                .execute(
                        "insert into usage_month (account_id, month, tasks) select ?,"
                            + " to_char(to_timestamp(?::double precision), 'YYYYMM')::int, ? on"
                            + " conflict (account_id, month) do update set tasks = excluded.tasks",
                        UUID.fromString(account.accountId()),
                        new Stored(server).nowMs() / 1000.0,
                        tasks);
    }

    long monthOf(TaskApi account) {
        return database()
                .value(
                        "select coalesce(sum(tasks), 0)::bigint from usage_month where account_id ="
                                + " ?",
                        UUID.fromString(account.accountId()));
    }

    /// A period of a plan, from and until so far from now.
    void paid(TaskApi account, String plan, Duration from, Duration until) {
        long now = new Stored(server).nowMs();
        database()
                .execute(
                        "insert into plan_period (account_id, from_ms, until_ms, plan) values (?,"
                                + " ?, ?, ?)",
                        UUID.fromString(account.accountId()),
                        now + from.toMillis(),
                        now + until.toMillis(),
                        plan);
    }

    private TestDatabase database() {
        return server.database();
    }
}
