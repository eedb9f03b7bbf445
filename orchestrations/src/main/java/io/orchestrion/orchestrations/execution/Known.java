package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What a transaction has read of executions that it has locked, and of their attempts, with its
/// own changes. The kernel asks three times about the same completions: to lock the owners, to
/// judge the results, and to go on from the ends. The rows are read once for all of them.
///
/// An execution is here only from its lock on. Whoever changes an attempt has the lock of its
/// execution or of its item, and this transaction has them both, so nothing here gets old.
final class Known {
    private final Map<UUID, Execution> executions = new HashMap<>();
    private final Map<UUID, StepAttempt> attempts = new HashMap<>();

    static Known of(Tx tx) {
        return tx.kept(Known.class, Known::new);
    }

    void locked(Collection<Execution> all) {
        all.forEach(each -> executions.put(each.id(), each));
    }

    /// As this transaction has left them.
    void wrote(Collection<Execution> changed, Collection<StepAttempt> ofSteps) {
        changed.forEach(each -> executions.replace(each.id(), each));
        ofSteps.forEach(each -> attempts.replace(each.id(), each));
    }

    List<Execution> executions(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        var found = new ArrayList<Execution>();
        var missing = new ArrayList<UUID>();
        for (UUID id : ids) {
            Execution known = executions.get(id);
            if (known == null) {
                missing.add(id);
            } else {
                found.add(known);
            }
        }
        if (!missing.isEmpty()) {
            found.addAll(ExecutionSql.find(tx, account, missing));
        }
        return found;
    }

    /// @param ids of attempts whose items this transaction has locked, with their executions
    Map<UUID, StepAttempt> attempts(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        List<UUID> missing = ids.stream().filter(id -> !attempts.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            StepSql.find(tx, account, missing).forEach(each -> attempts.put(each.id(), each));
        }
        var found = new HashMap<UUID, StepAttempt>();
        for (UUID id : ids) {
            StepAttempt attempt = attempts.get(id);
            if (attempt != null) {
                found.put(id, attempt);
            }
        }
        return found;
    }
}
