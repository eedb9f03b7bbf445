package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;

/// How the end of an upload is committed. A door stores its answer in the same transaction.
@FunctionalInterface
public interface UploadEnd {
    /// Makes the artifact ready, or says why it cannot be any more; it writes nothing then.
    @FunctionalInterface
    interface Work {
        UploadOutcome in(Tx tx) throws SQLException;
    }

    /// @return what the work said in the transaction that was committed, or
    ///     [UploadOutcome.Repeated] where it was not done
    UploadOutcome commit(Work work);
}
