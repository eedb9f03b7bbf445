package io.orchestrion.server.jobs;

import io.orchestrion.kernel.db.DeadlinePassed;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Door;

import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// The jobs door's own form for the answers that no handler writes: problem documents throughout.
public final class JobsDoor implements Door {
    public static final String NAME = "jobs";

    private static final List<String> ROOTS =
            List.of("/v1/jobs", "/v1/clients", "/v1/webhooks", "/problems");

    private final BiConsumer<JsonWriter, Call> otherWords;

    /// @param otherWords writes what other doors under `/v1` say of a path that no door has, into
    ///     the same answer: the caller may have meant any of them
    public JobsDoor(BiConsumer<JsonWriter, Call> otherWords) {
        this.otherWords = otherWords;
    }

    @Override
    public void writeNotFound(JsonWriter out, Call call) {
        unknownPath().write(out, call.requestId());
    }

    private static Problem unknownPath() {
        return JobsProblems.of(JobsError.REQUEST_NOT_FOUND, "There is nothing at this path.");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean owns(String path) {
        return ROOTS.stream().anyMatch(root -> path.equals(root) || path.startsWith(root + "/"));
    }

    @Override
    public Answer notFound(Call call) {
        Answer own = unknownPath().answer(call);
        return call.path().startsWith("/v1/")
                ? Answer.of(
                        JobsError.REQUEST_NOT_FOUND.status(),
                        Problem.MEDIA_TYPE,
                        JsonWriter.object(
                                out -> {
                                    writeNotFound(out, call);
                                    otherWords.accept(out, call);
                                }))
                : own;
    }

    @Override
    public Answer methodNotAllowed(Call call, Set<String> allowed) {
        return JobsProblems.error(
                call,
                JobsError.REQUEST_METHOD_NOT_ALLOWED,
                "This path answers to " + String.join(", ", allowed) + " only.");
    }

    @Override
    public Answer refused(Call call, int status, String message) {
        return JobsProblems.of(JobsError.REQUEST_MALFORMED, message).under(status).answer(call);
    }

    @Override
    public Answer invalid(Call call, List<BodyFault> faults) {
        return JobsProblems.faulty(call, JobsError.REQUEST_MALFORMED, faults);
    }

    @Override
    public Answer bodyTooLarge(Call call, long maxBytes) {
        return JobsProblems.error(
                call,
                JobsError.REQUEST_PAYLOAD_TOO_LARGE,
                "The body must be at most " + maxBytes + " bytes.");
    }

    @Override
    public Answer unsupportedMediaType(Call call) {
        return JobsProblems.error(
                call,
                JobsError.REQUEST_UNSUPPORTED_MEDIA_TYPE,
                "The Content-Type must be application/json.");
    }

    @Override
    public boolean expects(Throwable failure) {
        return failure instanceof DeadlinePassed
                || othersAreLate(failure)
                || StoreTrouble.expected(failure);
    }

    /// Another server was asked for this and did not answer in time.
    private static boolean othersAreLate(Throwable failure) {
        return failure instanceof HttpTimeoutException || failure instanceof SocketTimeoutException;
    }

    /// A failure of the store itself is an error of the database here, and not of the server: the
    /// contract separates the two.
    @Override
    public Answer failed(Call call, Throwable failure) {
        if (failure instanceof DeadlinePassed) {
            return JobsProblems.error(
                    call,
                    JobsError.EXEC_TIMEOUT,
                    "This took longer than a request may; nothing was done.");
        }
        if (othersAreLate(failure)) {
            return JobsProblems.error(
                    call,
                    JobsError.DEPENDENCY_TIMEOUT,
                    "A server that was asked for this did not answer in time.");
        }
        StoreTrouble trouble = StoreTrouble.of(failure);
        return switch (trouble) {
            case OVERLOADED ->
                    JobsProblems.error(call, JobsError.REQUEST_OVERLOADED, trouble.message());
            case UNAVAILABLE ->
                    JobsProblems.error(call, JobsError.STORAGE_UNAVAILABLE, trouble.message());
            case BUSY, OUTCOME_UNKNOWN, NO_ROOM ->
                    JobsProblems.later(
                            call,
                            JobsError.STORAGE_DB_ERROR,
                            trouble.waitSeconds(),
                            trouble.message());
            case INTERNAL ->
                    failure instanceof StoreException
                            ? JobsProblems.error(
                                    call,
                                    JobsError.STORAGE_DB_ERROR,
                                    "The store could not do it; nothing was done.")
                            : JobsProblems.error(call, JobsError.INTERNAL, trouble.message());
        };
    }

    @Override
    public Answer tooMuchInFlight(Call call, int retryAfterSeconds) {
        return JobsProblems.later(
                call, JobsError.REQUEST_RATE_LIMITED, retryAfterSeconds, TOO_MUCH_IN_FLIGHT);
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return JobsProblems.later(
                call,
                JobsError.REQUEST_OVERLOADED,
                retryAfterSeconds,
                StoreTrouble.OVERLOADED.message());
    }
}
