package io.orchestrion.server.runs.credits;

import static io.orchestrion.kernel.json.Field.integer;

import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.runs.RunSpecs;
import io.orchestrion.server.runs.RunsDoor;

import java.util.List;

/// The endpoints of credits.
public final class CreditEndpoints {
    private CreditEndpoints() {}

    static final String CREDITS = RunsDoor.ROOT + "/credits";
    static final String LEDGER = CREDITS + "/ledger";
    static final String REVERSALS = RunsDoor.ADMIN + "/billing/reversals";
    private static final String NO_ORG = "org_not_found";
    private static final String NO_ENTRY = "ledger_entry_not_found";

    static final Endpoint GET_CREDITS =
            RunSpecs.reading(Endpoint.get("getCredits", CREDITS))
                    .summary("Get credits of the account")
                    .response(200, CreditSpecs.BALANCE)
                    .build();

    static final Endpoint LIST_LEDGER =
            RunSpecs.paged(
                            RunSpecs.reading(Endpoint.get("listLedger", LEDGER))
                                    .query(
                                            RunSpecs.id("run_id", PublicId.RUN),
                                            integer("after_seq")
                                                    .range(0, Long.MAX_VALUE)
                                                    .doc("Only entries after this one.")))
                    .summary("List entries of the ledger, oldest first")
                    .response(200, CreditSpecs.ENTRY_PAGE)
                    .build();

    static final Endpoint LIST_NOTICES =
            RunSpecs.paged(
                            RunSpecs.reading(
                                    Endpoint.get("listCreditNotices", CREDITS + "/notices")))
                    .summary("List what the account was told of corrected charges, oldest first")
                    .response(200, CreditSpecs.NOTICE_PAGE)
                    .build();

    static final Endpoint GRANT =
            RunSpecs.administering(
                            Endpoint.post("grantCredits", RunsDoor.ADMIN + "/credits/grants"),
                            NO_ORG)
                    .summary("Give credits to an account")
                    .request(CreditSpecs.GRANT)
                    .response(201, CreditSpecs.ENTRY)
                    .response(200, CreditSpecs.ENTRY)
                    .build();

    static final Endpoint REVERSE =
            RunSpecs.administering(
                            Endpoint.post("reverseCharge", REVERSALS), NO_ENTRY, "not_reversible")
                    .summary("Give a charge back that was a mistake")
                    .request(CreditSpecs.REVERSAL)
                    .response(201, CreditSpecs.ENTRY)
                    .response(200, CreditSpecs.ENTRY)
                    .build();

    static final Endpoint LIST_ANOMALIES =
            RunSpecs.inspecting(
                            Endpoint.get("listAnomalies", RunsDoor.ADMIN + "/billing/anomalies"))
                    .query(RunSpecs.cursor())
                    .summary("List attempts of runs of which the ledger says something odd")
                    .response(200, CreditSpecs.ANOMALY_PAGE)
                    .build();

    static final Endpoint CHECK_INVARIANTS =
            RunSpecs.inspecting(Endpoint.get("checkInvariants", RunsDoor.ADMIN + "/invariants"))
                    .query(RunSpecs.cursor())
                    .summary("Look whether all rows of runs and credits are as they must be")
                    .response(200, CreditSpecs.INVARIANTS)
                    .build();

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            GET_CREDITS,
                            LIST_LEDGER,
                            LIST_NOTICES,
                            GRANT,
                            REVERSE,
                            LIST_ANOMALIES,
                            CHECK_INVARIANTS));
}
