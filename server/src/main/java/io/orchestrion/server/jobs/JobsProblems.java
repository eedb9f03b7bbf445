package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The door's errors as answers.
public final class JobsProblems {
    private static final int WAIT_SECONDS = 1;
    private static final String OTHER_WORDS =
            "On a path that nobody has: as the tasks door tells it.";

    private JobsProblems() {}

    /// Every error of the door looks like this.
    public static final ObjectSpec SPEC =
            Problem.spec(
                            "JobsProblem",
                            Arrays.stream(JobsError.values()).map(JobsError::code).toList())
                    .optional(text("error").doc(OTHER_WORDS))
                    .optional(text("message").doc(OTHER_WORDS))
                    .optional(text("request_id").doc(OTHER_WORDS))
                    .optional(object("agent_contract").doc(OTHER_WORDS));

    /// @param detail about this occurrence: whole sentences, safe to show
    public static Answer error(Call call, JobsError error, String detail) {
        return of(error, detail).answer(call);
    }

    /// The request cannot be read as it is.
    public static Answer malformed(Call call, String detail) {
        return error(call, JobsError.REQUEST_MALFORMED, detail);
    }

    /// One field that is missing or of the wrong kind.
    ///
    /// @param bound what it missed; null where no bound says so
    public static Answer malformed(Call call, String field, @Nullable String bound, String detail) {
        return faulty(
                call, JobsError.REQUEST_MALFORMED, List.of(new BodyFault(field, detail, bound)));
    }

    /// One field whose value is against a rule of the door.
    ///
    /// @param bound what it missed; null where no bound says so
    public static Answer invalid(Call call, String field, @Nullable String bound, String detail) {
        return faulty(
                call,
                JobsError.JOB_VALIDATION_FAILED,
                List.of(new BodyFault(field, detail, bound)));
    }

    /// Every field that is wrong, each by itself.
    public static Answer faulty(Call call, JobsError error, List<BodyFault> faults) {
        String detail =
                faults.stream().map(BodyFault::message).collect(Collectors.joining("; ", "", "."));
        return of(error, detail).with(faults).answer(call);
    }

    /// Refused for now: the same request may be sent again after the wait.
    public static Answer later(Call call, JobsError error, long seconds, String detail) {
        return of(error, detail).after(seconds).answer(call);
    }

    public static Answer noSuchJob(Call call) {
        return error(call, JobsError.JOB_NOT_FOUND, "There is no such job.");
    }

    /// For a job of another client: says that it is another's, and nothing else about it.
    public static Answer othersOwn(Call call) {
        return error(
                call, JobsError.AUTH_FORBIDDEN, "This belongs to another client than the key.");
    }

    public static Problem of(JobsError error, String detail) {
        Problem problem = Problem.of(error, error.title(), detail);
        return error.status() == 503 && error.retryable() ? problem.after(WAIT_SECONDS) : problem;
    }
}
