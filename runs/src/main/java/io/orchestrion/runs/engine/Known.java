package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.tree.AttemptSql;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.StepSql;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// What a transaction has read of runs that it has locked, so that it is read once for all of them.
/// The kernel asks three times about the same completions: to lock the owners, to judge the
/// results, and to go on from the ends.
///
/// A run is here from its lock on, with the changes of this transaction. Attempts and steps are
/// those whose items have ended; they are forgotten as soon as anything of a run was changed.
final class Known {
    private final Map<UUID, Run> runs = new HashMap<>();
    private final Map<UUID, StepAttempt> attempts = new HashMap<>();
    private final Map<UUID, Step> steps = new HashMap<>();

    static Known of(Tx tx) {
        return tx.kept(Known.class, Known::new);
    }

    Set<UUID> locked(List<Run> all) {
        all.forEach(run -> runs.put(run.id(), run));
        return new HashSet<>(all.stream().map(Run::id).toList());
    }

    /// Null where this transaction has not locked it.
    @Nullable Run run(UUID id) {
        return runs.get(id);
    }

    void wrote(Run run) {
        runs.replace(run.id(), run);
        attempts.clear();
        steps.clear();
    }

    /// Attempts by the ids of their items. Those of items that are no attempts are missing.
    Map<UUID, StepAttempt> attempts(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        List<UUID> missing = ids.stream().filter(id -> !attempts.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            AttemptSql.find(tx, account, missing).forEach(each -> attempts.put(each.id(), each));
        }
        return only(attempts, ids);
    }

    /// Steps of runs that this transaction has locked; they are locked, too.
    Map<UUID, Step> steps(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        List<UUID> missing = ids.stream().filter(id -> !steps.containsKey(id)).distinct().toList();
        if (!missing.isEmpty()) {
            StepSql.lock(tx, account, missing).forEach(each -> steps.put(each.id(), each));
        }
        return only(steps, ids);
    }

    private static <T> Map<UUID, T> only(Map<UUID, T> all, Collection<UUID> ids) {
        var found = new HashMap<UUID, T>();
        for (UUID id : ids) {
            T each = all.get(id);
            if (each != null) {
                found.put(id, each);
            }
        }
        return found;
    }
}
