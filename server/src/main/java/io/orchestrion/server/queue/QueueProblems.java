package io.orchestrion.server.queue;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// The door's errors as answers.
public final class QueueProblems {
    private QueueProblems() {}

    /// Every error of the door looks like this.
    public static final ObjectSpec SPEC =
            Problem.spec(
                    "QueueProblem",
                    Arrays.stream(QueueError.values()).map(QueueError::code).toList());

    /// @param detail about this occurrence: whole sentences, safe to show
    static Answer error(Call call, QueueError error, String detail) {
        return of(error, detail).answer(call);
    }

    static Answer badRequest(Call call, String detail) {
        return error(call, QueueError.INVALID_REQUEST, detail);
    }

    /// One field that is wrong for a reason that its declaration does not know.
    static Answer badField(Call call, String field, @Nullable String bound, String detail) {
        return of(QueueError.INVALID_REQUEST, detail)
                .with(List.of(new BodyFault(field, detail, bound)))
                .answer(call);
    }

    /// Refused for now: the same request may be sent again after the wait.
    static Answer later(Call call, QueueError error, long seconds, String detail) {
        return of(error, detail).after(seconds).answer(call);
    }

    static Answer noSuchJob(Call call) {
        return error(call, QueueError.JOB_NOT_FOUND, "This account has no such job.");
    }

    public static Problem of(QueueError error, String detail) {
        Problem problem = Problem.of(error, error.title(), detail);
        return error.status() == 503 ? problem.after(1) : problem;
    }
}
