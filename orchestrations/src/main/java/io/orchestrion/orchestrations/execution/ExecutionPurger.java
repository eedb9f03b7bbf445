package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectLog.Uncounted;
import io.orchestrion.kernel.sweep.AccountPurger;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.orchestrations.execution.RetentionSql.GoneLetter;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Removes executions that ended longer ago than they are kept, with their attempts, items,
/// approvals, dead letters, notices and events. A large one goes in several transactions, its own
/// row last, so that what is left is found again.
final class ExecutionPurger extends AccountPurger {
    private static final int EXECUTIONS = 50;

    private final Kernel kernel;
    private final Duration kept;

    ExecutionPurger(Kernel kernel, Duration kept) {
        super("execution-purger", kernel.database());
        this.kernel = kernel;
        this.kept = kept;
    }

    private long before(Tx tx) throws SQLException {
        return tx.nowMillis() - kept.toMillis();
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return RetentionSql.accounts(tx, before(tx), most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        RetentionSql.letGo(tx);
        int removed = 0;
        for (UUID execution : RetentionSql.lockOld(tx, account, before(tx), EXECUTIONS)) {
            removed += remove(tx, account, execution, most - removed);
            if (removed >= most) {
                return most;
            }
        }
        return removed;
    }

    /// How many rows went: as many as it may take where there is more.
    private int remove(Tx tx, UUID account, UUID execution, int most) throws SQLException {
        var items =
                kernel.verbs()
                        .owned()
                        .remove(tx, account, new OwnerRef(Turn.OWNER, execution), most);
        if (items.more() || items.changed() >= most) {
            return most;
        }
        int room = most - items.changed();
        var gone = new ArrayList<>(RetentionSql.removeSteps(tx, account, execution, room));
        if (gone.size() < room) {
            gone.addAll(RetentionSql.removeApprovals(tx, account, execution, room - gone.size()));
        }
        if (gone.size() < room) {
            gone.addAll(removeLetters(tx, account, execution, room - gone.size()));
        }
        if (gone.size() < room) {
            RetentionSql.removeExecution(tx, account, execution);
            gone.add(execution);
        }
        kernel.subjects().remove(tx, account, gone);
        return items.changed() + gone.size();
    }

    /// The counts of dead letters are of those that there are.
    private List<UUID> removeLetters(Tx tx, UUID account, UUID execution, int most)
            throws SQLException {
        List<GoneLetter> letters = RetentionSql.removeDeadLetters(tx, account, execution, most);
        if (!letters.isEmpty()) {
            kernel.subjects()
                    .uncount(
                            tx,
                            account,
                            letters.stream()
                                    .map(
                                            gone ->
                                                    new Uncounted(
                                                            Subjects.DEAD_LETTER.word(),
                                                            gone.reason(),
                                                            gone.status()))
                                    .toList());
        }
        return letters.stream().map(GoneLetter::id).toList();
    }
}
