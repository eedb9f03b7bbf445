package io.orchestrion.server.runs.credits;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.check.Anomaly;
import io.orchestrion.runs.check.Violation;
import io.orchestrion.runs.credit.Balance;
import io.orchestrion.runs.credit.Entry;
import io.orchestrion.runs.credit.Notice;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.runs.Amounts;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// Credits in the words of the contract.
final class CreditJson {
    private CreditJson() {}

    static void write(JsonWriter out, UUID account, Balance balance) {
        out.text("org_id", account.toString())
                .number("balance", Amounts.plain(balance.balance()))
                .number("reserved", Amounts.plain(balance.reserved()))
                .number("available", Amounts.plain(balance.available()));
    }

    static void write(JsonWriter out, UUID account, Entry entry) {
        Entry.Of attempt = entry.attempt();
        out.text("id", PublicId.ENTRY.of(entry.id()))
                .integer("seq", entry.seq())
                .text("org_id", account.toString())
                .text("run_id", attempt == null ? null : PublicId.RUN.of(attempt.run()))
                .integer("attempt_number", number(attempt))
                .text("transaction_type", entry.kind().type())
                .text("refund_kind", entry.kind().refundKind())
                .number("amount", Amounts.plain(entry.amount()))
                .text("idempotency_key", entry.key())
                .text("reverses", PublicId.ENTRY.ofNullable(entry.reverses()))
                .text("reason", entry.reason())
                .instant("created_at", entry.createdMs());
    }

    private static @Nullable Long number(Entry.@Nullable Of attempt) {
        return attempt == null ? null : Long.valueOf(attempt.attempt());
    }

    static void write(JsonWriter out, Notice notice) {
        out.text("ledger_entry_id", PublicId.ENTRY.of(notice.entry()))
                .text("run_id", PublicId.RUN.of(notice.run()))
                .number("amount", Amounts.plain(notice.amount()))
                .text("message", notice.message())
                .instant("created_at", notice.createdMs());
    }

    static void write(JsonWriter out, Anomaly odd, List<Entry> charges) {
        out.text("org_id", odd.account().toString())
                .text("run_id", PublicId.RUN.of(odd.run()))
                .integer("attempt_number", odd.attempt())
                .texts("kinds", odd.kinds().stream().map(Anomaly.Kind::word).toList())
                .number("charged", Amounts.plain(odd.charged()))
                .number("metered", Amounts.plain(odd.metered()))
                .objects("charges", charges, (each, entry) -> write(each, odd.account(), entry));
    }

    static void write(JsonWriter out, Broken broken) {
        out.integer("invariant", broken.invariant())
                .text("rule", broken.rule())
                .text("subject", CreditSpecs.word(broken.of()))
                .text("org_id", broken.account() == null ? null : broken.account().toString())
                .texts("ids", broken.ids().stream().map(id -> id(broken.of(), id)).toList());
    }

    /// What breaks one rule in one account.
    record Broken(
            int invariant, String rule, Violation.Of of, @Nullable UUID account, List<UUID> ids) {}

    private static String id(Violation.Of of, UUID id) {
        return switch (of) {
            case RUN -> PublicId.RUN.of(id);
            case AGENT -> PublicId.AGENT.of(id);
            case TASK -> PublicId.TASK.of(id);
            case ARTIFACT -> PublicId.ARTIFACT.of(id);
            case ENTRY -> PublicId.ENTRY.of(id);
            case ACCOUNT, GUARD -> id.toString();
        };
    }
}
