package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.oneOf;

import io.orchestrion.orchestrations.execution.DeadLetter;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints for what has failed for good: dead letters, what people have to look at, and which
/// error is of which class.
public final class ReviewEndpoints {
    private ReviewEndpoints() {}

    static final String LETTERS = OrchestrationsDoor.ROOT + "/dlq";
    private static final String LETTER = LETTERS + "/{dlq_id}";
    static final String REVIEW = OrchestrationsDoor.ROOT + "/review";
    private static final String ENTRY = REVIEW + "/{review_id}";
    private static final String NO_LETTER = "dlq_item_not_found";
    private static final String NO_ENTRY = "review_entry_not_found";
    private static final String WRONG_STATUS = "invalid_transition";

    static final Endpoint LIST_LETTERS =
            OrchestrationSpecs.paged(
                            reading(Endpoint.get("listDlqItems", LETTERS))
                                    .query(
                                            oneOf("status", DeadLetter.Status.words()),
                                            oneOf("reason", ReviewSpecs.REASONS),
                                            OrchestrationSpecs.id("definition_id"),
                                            OrchestrationSpecs.id("execution_id"),
                                            instant("from").doc("Only from then on."),
                                            instant("to").doc("Only earlier ones.")))
                    .summary("List dead letters, newest first")
                    .response(200, ReviewSpecs.LETTER_PAGE)
                    .build();

    static final Endpoint GET_LETTER =
            reading(Endpoint.get("getDlqItem", LETTER), NO_LETTER)
                    .summary("Get dead letter with what can be done about it")
                    .response(200, ReviewSpecs.LETTER)
                    .build();

    static final Endpoint REPROCESS =
            acting(
                            Endpoint.post("reprocessDlqItem", LETTER + "/reprocess"),
                            NO_LETTER,
                            WRONG_STATUS,
                            "unsafe_retry",
                            "concurrency_limit")
                    .summary("Go on with the execution from the step that failed")
                    .request(ExecutionSpecs.RETRY)
                    .response(200, ReviewSpecs.HANDLED)
                    .build();

    static final Endpoint REPROCESS_MANY =
            acting(Endpoint.post("reprocessDlqItems", LETTERS + "/reprocess"))
                    .summary("Reprocess several dead letters, each for itself")
                    .request(ReviewSpecs.MANY)
                    .response(200, ReviewSpecs.MANY_HANDLED)
                    .build();

    static final Endpoint RESOLVE_LETTER =
            acting(Endpoint.post("resolveDlqItem", LETTER + "/resolve"), NO_LETTER, WRONG_STATUS)
                    .summary("Close dead letter; nothing else changes")
                    .request(ReviewSpecs.NOTE)
                    .response(200, ReviewSpecs.HANDLED)
                    .build();

    static final Endpoint LIST_REVIEW =
            OrchestrationSpecs.paged(
                            reading(Endpoint.get("listReview", REVIEW))
                                    .query(oneOf("kind", ReviewSpecs.KINDS)))
                    .summary("List what a person has to look at, newest first")
                    .response(200, ReviewSpecs.ENTRY_PAGE)
                    .build();

    static final Endpoint COMPENSATE =
            acting(
                            Endpoint.post("compensateReview", ENTRY + "/compensate"),
                            NO_ENTRY,
                            WRONG_STATUS,
                            "nothing_to_compensate")
                    .summary("Run the compensation handler of a step that failed")
                    .request(ReviewSpecs.NOTE)
                    .response(200, ReviewSpecs.ENTRY)
                    .build();

    static final Endpoint MARK_COMPENSATED =
            acting(
                            Endpoint.post("markCompensated", ENTRY + "/mark-compensated"),
                            NO_ENTRY,
                            WRONG_STATUS,
                            "nothing_to_compensate")
                    .summary("Record that a step was undone by hand")
                    .request(ReviewSpecs.NOTE)
                    .response(200, ReviewSpecs.ENTRY)
                    .build();

    static final Endpoint RESOLVE_ENTRY =
            acting(Endpoint.post("resolveReview", ENTRY + "/resolve"), NO_ENTRY, WRONG_STATUS)
                    .summary("Close what was looked at")
                    .request(ReviewSpecs.NOTE)
                    .response(200, ReviewSpecs.ENTRY)
                    .build();

    static final Endpoint MATRIX =
            OrchestrationSpecs.reading(
                            Endpoint.get(
                                    "getRetryMatrix", OrchestrationsDoor.ROOT + "/retry-matrix"))
                    .summary("Get which error is of which class, and what follows")
                    .response(200, ReviewSpecs.MATRIX)
                    .build();

    private static Endpoint.Builder reading(Endpoint.Builder endpoint, String... errors) {
        return OrchestrationSpecs.reviewing(endpoint, errors).limit(OrchestrationLimits.READ);
    }

    private static Endpoint.Builder acting(Endpoint.Builder endpoint, String... errors) {
        return OrchestrationSpecs.reviewing(endpoint, errors).limit(OrchestrationLimits.WRITE);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            LIST_LETTERS,
                            GET_LETTER,
                            REPROCESS,
                            REPROCESS_MANY,
                            RESOLVE_LETTER,
                            LIST_REVIEW,
                            COMPENSATE,
                            MARK_COMPENSATED,
                            RESOLVE_ENTRY,
                            MATRIX));
}
