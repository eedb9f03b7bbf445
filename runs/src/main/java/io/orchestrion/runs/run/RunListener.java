package io.orchestrion.runs.run;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.UUID;

/// Something that belongs to runs and is kept elsewhere, such as their artifacts.
public interface RunListener {
    /// The run has come to an end, for good or until it is retried: in the same transaction, under
    /// the run's lock.
    void ended(Tx tx, Run run) throws SQLException;

    /// The run was taken away before it was started, in the same transaction.
    default void dropped(Tx tx, Run run) throws SQLException {}

    /// The run is being removed. Removes some of what belongs to it.
    ///
    /// @return how many rows went: less than `most` when nothing is left
    int remove(Tx tx, UUID account, UUID run, int most) throws SQLException;
}
