package io.orchestrion.runs.escalation;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.pool.PoolWork;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Tells whoever is on call of each ticket once: at least once over the wire, under the id of the
/// ticket, and recorded once. The items that do it belong to the ticket's run, whose engine calls
/// this in its transactions.
public final class OnCall {
    /// Of the items that tell of tickets.
    public static final String KIND = "builtin_run_on_call";

    private static final Logger log = LoggerFactory.getLogger(OnCall.class);

    private static final int PLACES = 4;
    private static final int PER_ACCOUNT = 2;

    private final Kernel kernel;
    private final OnCallOptions options;
    private final RandomGenerator random;

    /// An item, and the id that it has to be handed in under.
    public record Item(UUID id, NewWork work) {}

    /// @param egress that may call the address in the options
    public OnCall(Kernel kernel, Egress egress, OnCallOptions options, RandomGenerator random) {
        this.kernel = kernel;
        this.options = options;
        this.random = random;
        kernel.pool()
                .add(
                        new PoolWork("run-on-call", Profiles.BUILTIN, KIND, PLACES, PER_ACCOUNT),
                        new OnCallWork(kernel.database(), egress, options));
    }

    /// A ticket was opened in this transaction. Null where it is told of already.
    public @Nullable Item opened(Tx tx, UUID account, Called called) throws SQLException {
        UUID id = kernel.ids().next(tx.nowMillis());
        return NoticeSql.open(tx, account, called.ticket(), id, called.json(account))
                ? item(account, id, message(called.run(), called.ticket(), 1), null)
                : null;
    }

    /// An item of the kind has ended.
    ///
    /// @return another one to hand in, where that is worth it
    public @Nullable Item ended(Tx tx, WorkEnd end) throws SQLException {
        UUID account = end.item().accountId();
        UUID item = end.item().id();
        if (end.item().state() == WorkState.SUCCEEDED) {
            NoticeSql.sent(tx, account, item);
            return null;
        }
        NoticeSql.Told told = NoticeSql.told(tx, account, item);
        WorkError error = end.error();
        String why = error == null ? "The run ended before." : error.message();
        if (told == null) {
            return null;
        }
        int attempts = told.attempts();
        if (error == null || attempts >= options.retries().maxAttempts()) {
            if (NoticeSql.failed(tx, account, item, why)) {
                log.error(
                        "nobody on call was told of a ticket after {} attempts: {}", attempts, why);
            }
            return null;
        }
        UUID next = kernel.ids().next(tx.nowMillis());
        long delay =
                options.retries().delayMs(attempts, ErrorClass.TRANSIENT, 1, random.nextDouble());
        return NoticeSql.again(tx, account, item, next, why)
                ? item(
                        account,
                        next,
                        message(owner(end), told.ticket(), attempts + 1),
                        tx.nowMillis() + delay)
                : null;
    }

    private static UUID owner(WorkEnd end) {
        return Objects.requireNonNull(end.item().owner()).id();
    }

    /// The same for the same attempt to tell of the same ticket, whoever makes it.
    private static String message(UUID run, UUID ticket, int attempt) {
        return "run:" + run + ":ticket:" + ticket + ":" + attempt;
    }

    private Item item(UUID account, UUID id, String message, @Nullable Long notBefore) {
        return new Item(
                id,
                NewWork.of(account, Profiles.BUILTIN, KIND, "{\"message_id\":\"" + message + "\"}")
                        .notBefore(notBefore)
                        .runningAtMost(options.retries().timeoutMs()));
    }
}
