package io.orchestrion.kernel.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.AuditEntry;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// A kernel with accounts, many items at once, and operations on them.
final class BulkFixture implements AutoCloseable {
    static final String KIND = "bulk";
    static final Set<WorkState> PENDING = Set.of(WorkState.WAITING, WorkState.READY);

    final TestKernel test = new TestKernel();
    final Principal owner = account();

    Principal account() {
        var made = test.kernel().identity().register("owner", Plan.UNLIMITED_ID);
        return new Principal(made.accountId(), made.keyId(), EnumSet.allOf(Scope.class));
    }

    Kernel kernel() {
        return test.kernel();
    }

    TestDatabase database() {
        return test.database();
    }

    List<UUID> submit(Principal account, Profile profile, String kind, int count) {
        var drafts = new ArrayList<Submission>();
        for (int i = 0; i < count; i++) {
            drafts.add(Submission.of(NewWork.of(account.accountId(), profile, kind, "{\"n\": 1}")));
        }
        return kernel()
                .database()
                .transaction(tx -> kernel().verbs().submit(tx, account.accountId(), drafts))
                .stream()
                .map(each -> ((Submitted.Created) each).view().item().id())
                .toList();
    }

    List<UUID> tasks(int count) {
        return submit(owner, Profiles.TASKS, KIND, count);
    }

    static BulkFilter ofKind(Set<WorkState> states, String kind) {
        return new BulkFilter(states, kind, null, null, null, null, List.of());
    }

    BulkOperation make(Principal by, BulkAction action, BulkFilter filter, int max) {
        BulkMade made =
                kernel().bulk()
                        .create(
                                new BulkRequest(by, Profiles.TASKS, action, filter, max, "because"),
                                null,
                                _ -> new StoredAnswer(202, "{}"));
        assertThat(made).isInstanceOf(BulkMade.Made.class);
        return ((BulkMade.Made) made).operation();
    }

    BulkOperation cancelAll(Principal by) {
        return make(by, BulkAction.CANCEL, ofKind(PENDING, KIND), Bulk.ITEMS_MAX);
    }

    BulkOperation now(BulkOperation operation) {
        BulkOperation found = kernel().bulk().get(operation.accountId(), operation.id());
        assertThat(found).isNotNull();
        return found;
    }

    int sweep() {
        return kernel().sweepOnce("bulk-runner");
    }

    /// Sweeps until nothing goes on.
    void sweepAll() {
        int passes = 0;
        while (sweep() > 0) {
            assertThat(passes++).as("passes").isLessThan(1000);
        }
    }

    long count(String from, Object... parameters) {
        return database().value("select count(*) from " + from, parameters);
    }

    List<String> audited(Principal account) {
        return kernel().audit().oldestFirst(account.accountId(), 0, 1000).stream()
                .map(AuditEntry::action)
                .toList();
    }

    /// From now on the database refuses to change these items.
    void breakItems(List<UUID> items) {
        database().execute("create table broken (id uuid primary key)");
        database()
                .execute(
                        "create function refuse_broken() returns trigger language plpgsql as $$"
                            + " begin if exists (select from broken b where b.id = old.id) then"
                            + " raise exception 'broken secret inside'; end if; return coalesce("
                            + " new, old); end $$");
        database()
                .execute(
                        "create trigger refuse_broken before update or delete on work for each row"
                                + " execute function refuse_broken()");
        database()
                .execute(
                        "insert into broken select unnest(string_to_array(?, ',')::uuid[])",
                        items.stream().map(UUID::toString).collect(Collectors.joining(",")));
    }

    @Override
    public void close() {
        test.close();
    }
}
