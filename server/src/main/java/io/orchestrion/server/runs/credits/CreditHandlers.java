package io.orchestrion.server.runs.credits;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.credit.Balance;
import io.orchestrion.runs.credit.Credits;
import io.orchestrion.runs.credit.Credits.GrantRequest;
import io.orchestrion.runs.credit.Entry;
import io.orchestrion.runs.credit.Grant;
import io.orchestrion.runs.credit.Notice;
import io.orchestrion.runs.credit.Prices;
import io.orchestrion.runs.credit.Reversal;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.runs.RunAction;
import io.orchestrion.server.runs.RunActions;
import io.orchestrion.server.runs.RunAnswers;
import io.orchestrion.server.runs.RunError;
import io.orchestrion.server.runs.RunOnce;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// What an account has, and what the server's operator gives and gives back.
public final class CreditHandlers {
    private final Credits credits;
    private final RunOnce once;

    public CreditHandlers(Credits credits, RunOnce once) {
        this.credits = credits;
        this.once = once;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(CreditEndpoints.GET_CREDITS, this::balance)
                .handle(CreditEndpoints.LIST_LEDGER, this::ledger)
                .handle(CreditEndpoints.LIST_NOTICES, this::notices)
                .handle(CreditEndpoints.GRANT, this::grant)
                .handle(CreditEndpoints.REVERSE, this::reverse);
    }

    private static NextAction checkLedger() {
        return NextAction.call(RunAction.CHECK_LEDGER, "GET", CreditEndpoints.LEDGER);
    }

    private static AgentContract guidance() {
        return AgentContract.of(true, RunActions.checkCredits().best(), checkLedger());
    }

    private Answer balance(Call call) {
        UUID account = Callers.account(call);
        Balance balance = credits.balance(account);
        return Pages.json(
                200,
                out -> CreditJson.write(out, account, balance),
                AgentContract.of(true, RunActions.createRun().best(), checkLedger()));
    }

    private Answer ledger(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        UUID place = cursor.place();
        if (cursor.wrong() || (place != null && place.getMostSignificantBits() != 0)) {
            return RunAnswers.badCursor(call);
        }
        Long sent = query.integerOrNull("after_seq");
        long after =
                Math.max(
                        sent == null ? 0 : sent,
                        place == null ? 0 : place.getLeastSignificantBits());
        String run = query.textOrNull("run_id");
        int limit = query.int32("limit");
        UUID account = Callers.account(call);
        List<Entry> found =
                credits.entries(
                        account, run == null ? null : PublicId.RUN.read(run), after, limit + 1);
        return Pages.page(
                found,
                limit,
                entry -> new UUID(0, entry.seq()),
                (out, entry) -> CreditJson.write(out, account, entry),
                guidance());
    }

    private Answer notices(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        int limit = call.queryValues().int32("limit");
        List<Notice> found = credits.notices(Callers.account(call), cursor.place(), limit + 1);
        return Pages.page(found, limit, Notice::entry, CreditJson::write, guidance());
    }

    private Answer grant(Call call) {
        Values body = call.json();
        BigDecimal amount = body.number("amount");
        if (amount.stripTrailingZeros().scale() > Prices.SCALE) {
            return RunAnswers.badRequest(
                    call, "amount has more than " + Prices.SCALE + " places after the point.");
        }
        var asked =
                new GrantRequest(
                        UUID.fromString(body.text("org_id")),
                        amount,
                        body.text("idempotency_key"),
                        body.textOrNull("reason"),
                        Callers.caller(call).keyId());
        return once.once(call, tx -> grant(call, tx, asked));
    }

    private Answer grant(Call call, Tx tx, GrantRequest asked) throws SQLException {
        return switch (credits.grant(tx, asked)) {
            case Grant.Granted(var entry, var again) -> made(asked.account(), entry, again);
            case Grant.OtherAmount(var entry) ->
                    RunAnswers.error(
                            call,
                            RunError.IDEMPOTENCY_CONFLICT,
                            "With this idempotency_key "
                                    + entry.amount().stripTrailingZeros().toPlainString()
                                    + " credits were granted.");
            case Grant.TooMuch _ ->
                    RunAnswers.badRequest(
                            call, "With this amount the account would have more than it may.");
            case Grant.NoAccount() -> RunAnswers.error(call, RunError.ORG_NOT_FOUND);
        };
    }

    private Answer reverse(Call call) {
        Values body = call.json();
        UUID charge = PublicId.ENTRY.read(body.text("ledger_entry_id"));
        String reason = body.textOrNull("reason");
        UUID by = Callers.caller(call).keyId();
        return once.once(call, tx -> reverse(call, tx, charge, reason, by));
    }

    private Answer reverse(
            Call call, Tx tx, @Nullable UUID charge, @Nullable String reason, UUID by)
            throws SQLException {
        if (charge == null) {
            return RunAnswers.error(call, RunError.LEDGER_ENTRY_NOT_FOUND);
        }
        return switch (credits.reverse(tx, charge, reason, by)) {
            case Reversal.Reversed(var account, var entry, var again) ->
                    made(account, entry, again);
            case Reversal.NoCharge _ -> RunAnswers.error(call, RunError.NOT_REVERSIBLE);
            case Reversal.NoEntry() -> RunAnswers.error(call, RunError.LEDGER_ENTRY_NOT_FOUND);
        };
    }

    private static Answer made(UUID account, Entry entry, boolean again) {
        return Pages.json(
                again ? 200 : 201, out -> CreditJson.write(out, account, entry), guidance());
    }
}
