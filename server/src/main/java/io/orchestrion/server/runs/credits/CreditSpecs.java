package io.orchestrion.server.runs.credits;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.runs.check.Anomaly;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.runs.RunSpecs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The bodies of the endpoints of credits, in and out.
final class CreditSpecs {
    private CreditSpecs() {}

    static final int KEY_MAX = 255;
    static final String AMOUNT_MIN = "0.000001";
    static final String ID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    private static final List<String> TYPES = List.of("reserve", "charge", "refund", "grant");
    private static final List<String> REFUNDS = List.of("release", "reversal");
    private static final List<String> SUBJECTS =
            List.of("run", "agent", "task", "artifact", "entry", "account", "guard");
    private static final List<String> ODD =
            Arrays.stream(Anomaly.Kind.values()).map(Anomaly.Kind::word).toList();

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static final ObjectSpec BALANCE =
            RunSpecs.answer(
                    ObjectSpec.answer("RunCredits")
                            .required(RunSpecs.org())
                            .required(
                                    RunSpecs.credits("balance")
                                            .doc("Granted or given back, and not charged."))
                            .required(
                                    RunSpecs.credits("reserved")
                                            .doc("The part of it that runs have reserved."))
                            .required(
                                    RunSpecs.credits("available")
                                            .doc("What the next run can reserve.")));

    private static ObjectSpec entry(String name) {
        return ObjectSpec.answer(name)
                .required(RunSpecs.id("id", PublicId.ENTRY))
                .required(
                        integer("seq")
                                .range(1, Long.MAX_VALUE)
                                .doc("Counts the entries of the account, without gaps."))
                .required(RunSpecs.org())
                .required(RunSpecs.id("run_id", PublicId.RUN).nullable().doc("Null for a grant."))
                .required(
                        integer("attempt_number")
                                .range(1, Integer.MAX_VALUE)
                                .nullable()
                                .doc("Of the run."))
                .required(oneOf("transaction_type", TYPES))
                .required(
                        oneOf("refund_kind", REFUNDS)
                                .nullable()
                                .doc(
                                        "release gives back what was not used, reversal what was"
                                            + " charged by mistake; null for what is no refund."))
                .required(RunSpecs.credits("amount"))
                .required(text("idempotency_key"))
                .required(
                        RunSpecs.id("reverses", PublicId.ENTRY)
                                .nullable()
                                .doc("The charge that a reversal gives back."))
                .required(text("reason").nullable())
                .required(instant("created_at"));
    }

    static final ObjectSpec ENTRY = RunSpecs.answer(entry("RunLedgerEntry"));

    static final ObjectSpec ENTRY_PAGE = RunSpecs.page("RunLedgerPage", entry("RunLedgerItem"));

    static final ObjectSpec NOTICE_PAGE =
            RunSpecs.page(
                    "RunCreditNoticePage",
                    ObjectSpec.answer("RunCreditNotice")
                            .required(RunSpecs.id("ledger_entry_id", PublicId.ENTRY))
                            .required(RunSpecs.id("run_id", PublicId.RUN))
                            .required(RunSpecs.credits("amount"))
                            .required(text("message"))
                            .required(instant("created_at")));

    static final ObjectSpec GRANT =
            ObjectSpec.named("RunGrant")
                    .example(
                            "{\"org_id\":\"01970000-0000-7000-8000-000000000000\",\"amount\":500,"
                                    + "\"idempotency_key\":\"2026-11\"}")
                    .required(text("org_id").pattern(ID_PATTERN).doc("The account that gets them."))
                    .required(
                            number("amount")
                                    .range(AMOUNT_MIN, Ledger.AMOUNT_MAX.toPlainString())
                                    .doc("With at most six places after the point."))
                    .required(
                            text("idempotency_key")
                                    .length(1, KEY_MAX)
                                    .printableAscii()
                                    .doc(
                                            "The account gets credits once for a key, for as long"
                                                    + " as the ledger is kept."))
                    .optional(RunSpecs.reason());

    static final ObjectSpec REVERSAL =
            ObjectSpec.named("RunReversal")
                    .example(
                            "{\"ledger_entry_id\":\"01970000-0000-7000-8000-000000000000\","
                                    + "\"reason\":\"charged twice\"}")
                    .required(
                            RunSpecs.id("ledger_entry_id", PublicId.ENTRY)
                                    .doc("A charge. It is given back whole, and once."))
                    .required(RunSpecs.reason());

    static final ObjectSpec ANOMALY_PAGE =
            RunSpecs.page(
                    "RunAnomalyPage",
                    ObjectSpec.answer("RunAnomaly")
                            .required(RunSpecs.org())
                            .required(RunSpecs.id("run_id", PublicId.RUN))
                            .required(integer("attempt_number").range(1, Integer.MAX_VALUE))
                            .required(array("kinds", oneOf("kind", ODD)))
                            .required(
                                    RunSpecs.credits("charged")
                                            .doc("The sum of the charges that were not reversed."))
                            .required(
                                    RunSpecs.credits("metered").doc("What steps used that ended."))
                            .required(
                                    objects("charges", entry("RunAnomalyCharge"))
                                            .doc("The charges of the attempt.")));

    static final ObjectSpec INVARIANTS =
            RunSpecs.answer(
                    ObjectSpec.answer("RunInvariants")
                            .required(
                                    objects(
                                            "violations",
                                            ObjectSpec.answer("RunViolation")
                                                    .required(integer("invariant").range(1, 8))
                                                    .required(text("rule"))
                                                    .required(
                                                            oneOf("subject", SUBJECTS)
                                                                    .doc("What the ids are of."))
                                                    .required(
                                                            text("org_id")
                                                                    .nullable()
                                                                    .doc("Null for a guard."))
                                                    .required(array("ids", text("id")))))
                            .required(
                                    bool("complete")
                                            .doc(
                                                    "Whether all rows were looked at, by this call"
                                                            + " and those before it."))
                            .required(
                                    text("next_cursor")
                                            .nullable()
                                            .doc("Where to go on; null when it is complete.")));
}
