package io.orchestrion.runs.output;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.RowFollowers;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.read.StepView;
import io.orchestrion.runs.run.Run;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// The output of steps: whoever holds a step adds to it, and others follow it while it grows.
public final class Outputs implements AutoCloseable {
    /// At the most in one piece.
    public static final int PIECE_BYTES_MAX = 64 * 1024;

    private final Kernel kernel;
    private final long stepBytesMax;
    private final RowFollowers followers;

    /// @param stepBytesMax how much one step may write
    public Outputs(Kernel kernel, long stepBytesMax) {
        this.kernel = kernel;
        this.stepBytesMax = stepBytesMax;
        followers = new RowFollowers(this::moved);
    }

    /// Who writes.
    ///
    /// @param attempt of the step, which is the id of the item that the worker has claimed
    /// @param token of its lease; null where it did not keep it
    public record Writer(UUID account, UUID step, UUID attempt, @Nullable UUID token) {}

    /// Adds a piece, in the caller's transaction.
    public Written append(Tx tx, Writer writer, String channel, String content)
            throws SQLException {
        Commit.OUTPUT.in(tx);
        StepView step = RunReads.step(tx, writer.account(), writer.step());
        if (step == null) {
            return new Written.NoStep();
        }
        Refusal refusal =
                kernel.verbs()
                        .owned()
                        .refusal(tx, writer.account(), writer.attempt(), Fence.of(writer.token()));
        StepView.Open open = step.attempts().open();
        if (open == null || !open.id().equals(writer.attempt())) {
            return refusal == null || refusal instanceof Refusal.NotFound
                    ? new Written.OtherAttempt()
                    : new Written.NotHeld(refusal);
        }
        if (refusal != null) {
            return new Written.NotHeld(refusal);
        }
        UUID run = step.place().run();
        long seq = OutputSql.lock(tx, writer.account(), run) + 1;
        long before = OutputSql.written(tx, writer.account(), writer.step());
        long bytes = before + content.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > stepBytesMax) {
            return new Written.Full(stepBytesMax, stepBytesMax - before);
        }
        OutputSql.append(
                tx,
                writer.account(),
                new Piece(
                        run,
                        seq,
                        writer.step(),
                        writer.attempt(),
                        channel,
                        content,
                        tx.nowMillis()),
                bytes);
        tx.afterCommit(() -> followers.told(writer.account(), run));
        return new Written.Kept(seq, stepBytesMax - bytes);
    }

    /// Pieces of a run after that number, oldest first.
    ///
    /// @param step null for all
    public List<Piece> read(UUID account, UUID run, @Nullable UUID step, long after, int most) {
        return kernel.database()
                .transaction(tx -> OutputSql.after(tx, account, run, step, after, most));
    }

    /// The number of the newest piece of a run; 0 where there is none.
    public long end(Run run) {
        return kernel.database().transaction(tx -> OutputSql.end(tx, run.account(), run.id()));
    }

    /// Calls `wake` whenever there may be more.
    public RowFollowers.Follower follow(Run run, Runnable wake) {
        return followers.follow(run.account(), run.id(), wake);
    }

    private List<RowFollowers.Seen> moved(List<RowFollowers.Seen> followed) {
        return PerAccount.list(
                kernel.database(), followed, RowFollowers.Seen::account, OutputSql::moved);
    }

    @Override
    public void close() {
        followers.close();
    }
}
