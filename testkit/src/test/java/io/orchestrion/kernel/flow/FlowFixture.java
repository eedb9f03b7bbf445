package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Terms;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// A kernel with one account and limits on the type that its tests use.
final class FlowFixture implements AutoCloseable {
    static final String KIND = WorkFixture.KIND;

    final WorkFixture fixture;
    final UUID account;

    FlowFixture() {
        this(options -> options);
    }

    FlowFixture(UnaryOperator<KernelOptions> with) {
        fixture = new WorkFixture(with);
        account = fixture.account;
    }

    Kernel kernel() {
        return fixture.kernel();
    }

    /// As the door sets it: the switch and the flag in one statement.
    void limit(
            Profile profile,
            @Nullable Integer concurrencyMax,
            @Nullable Integer rateMax,
            @Nullable Duration period) {
        fixture.database()
                .execute(
                        """
                        insert into work_type (account_id, queue, kind, concurrency_max, rate_max,
                            rate_period_ms, flow, reflow, created_ms, updated_ms)
                        values (?, ?, ?, ?, ?, ?, ?, true, 0, 0)
                        on conflict (account_id, queue, kind) do update
                           set concurrency_max = excluded.concurrency_max,
                               rate_max = excluded.rate_max,
                               rate_period_ms = excluded.rate_period_ms,
                               reflow = work_type.reflow or excluded.flow <> work_type.flow,
                               flow = excluded.flow
                        """,
                        account,
                        profile.queue(),
                        KIND,
                        concurrencyMax,
                        rateMax,
                        period == null ? null : period.toMillis(),
                        concurrencyMax != null || rateMax != null);
    }

    void concurrency(Profile profile, int max) {
        limit(profile, max, null, null);
        settle();
    }

    void rate(int max, Duration period) {
        limit(Profiles.TASKS, null, max, period);
        settle();
    }

    void settle() {
        fixture.sweep("reflow");
    }

    static Terms keys(@Nullable String concurrency, @Nullable String rate) {
        return new Terms(concurrency, rate, null, null);
    }

    NewWork draft(Profile profile, Terms terms) {
        return fixture.draft(profile).with(terms);
    }

    UUID submit(@Nullable String concurrency, @Nullable String rate) {
        return fixture.submit(draft(Profiles.TASKS, keys(concurrency, rate)));
    }

    List<UUID> submit(String concurrency, int count) {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < count; i++) {
            ids.add(submit(concurrency, (String) null));
        }
        return ids;
    }

    /// Many at once.
    void submitAll(int count, IntFunction<Terms> terms) {
        List<Submission> all =
                IntStream.range(0, count)
                        .mapToObj(i -> Submission.of(draft(Profiles.TASKS, terms.apply(i))))
                        .toList();
        kernel().database().transaction(tx -> kernel().verbs().submit(tx, account, all));
    }

    List<WorkItem> claim(int count) {
        return claim(kernel(), count);
    }

    List<WorkItem> claim(Kernel node, int count) {
        return node
                .work()
                .claim(
                        new ClaimRequest(account, Profiles.TASKS.queue(), KIND, count, "w", null),
                        Duration.ZERO)
                .items()
                .stream()
                .map(WorkView::item)
                .toList();
    }

    List<String> claimedKeys(int count) {
        return claim(count).stream().map(item -> item.links().keys().concurrency()).toList();
    }

    Ack complete(Kernel node, WorkItem item) {
        return node.work()
                .command(
                        fixture.order(
                                Profiles.TASKS,
                                item.id(),
                                new Command.Complete(Fence.of(item.lease().token()), "{}", null)));
    }

    void complete(List<WorkItem> items) {
        items.forEach(item -> complete(kernel(), item));
    }

    Ack claimThis(Kernel node, UUID id) {
        return node.work()
                .command(
                        fixture.order(
                                Profiles.TASKS,
                                id,
                                new Command.Lease(UUID.randomUUID(), "w", null)));
    }

    Ack claimThis(UUID id) {
        return claimThis(kernel(), id);
    }

    /// The most leases that any concurrency key has, by the table itself.
    long mostHeld() {
        return fixture.database()
                .value(
                        """
                        select coalesce(max(held), 0)
                          from (select count(*) as held from work
                                 where state in ('leased', 'running')
                                   and concurrency_key is not null
                                 group by account_id, queue, kind, concurrency_key) as k
                        """);
    }

    List<Map<String, Object>> rows(String sql, Object... parameters) {
        return fixture.database().rows(sql, parameters);
    }

    @Override
    public void close() {
        fixture.close();
    }
}
