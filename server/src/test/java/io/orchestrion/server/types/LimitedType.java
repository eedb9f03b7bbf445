package io.orchestrion.server.types;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Sets the limits of a type as whoever manages types does, and lets its tasks be put in order.
public final class LimitedType {
    private LimitedType() {}

    public static void set(
            TestServer server,
            TaskApi tasks,
            String type,
            @Nullable Integer concurrencyMax,
            @Nullable Integer startsAMinute) {
        server.database()
                .execute(
                        """
                        insert into work_type (account_id, queue, kind, concurrency_max, rate_max,
                            rate_period_ms, flow, reflow, created_ms, updated_ms)
                        values (?, 'tasks', ?, ?, ?, ?, true, true, 0, 0)
                        on conflict (account_id, queue, kind) do update
                           set concurrency_max = excluded.concurrency_max,
                               rate_max = excluded.rate_max,
                               rate_period_ms = excluded.rate_period_ms
                        """,
                        UUID.fromString(tasks.accountId()),
                        type,
                        concurrencyMax,
                        startsAMinute,
                        startsAMinute == null ? null : 60_000L);
        server.kernel().kernel().sweepOnce("reflow");
    }
}
