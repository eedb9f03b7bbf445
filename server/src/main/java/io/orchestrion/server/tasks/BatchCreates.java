package io.orchestrion.server.tasks;

import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.Work;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.json.Field;
import io.orchestrion.server.json.InvalidBody;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.ObjectSpec;
import io.orchestrion.server.json.Values;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/// Makes tasks out of several items, each for itself: what is wrong with one is in its own result.
final class BatchCreates {
    /// Reads the task out of an answer that was kept.
    private static final ObjectSpec KEPT =
            ObjectSpec.named("Kept")
                    .required(Field.object("task"))
                    .unknown(ObjectSpec.Unknown.IGNORE);

    private final Work work;

    BatchCreates(Work work) {
        this.work = work;
    }

    /// What came of one item.
    ///
    /// @param task as JSON, null when there is none
    record Result(long index, @Nullable String task, boolean replayed, @Nullable TaskFault fault) {
        boolean created() {
            return fault == null;
        }

        void write(JsonWriter out) {
            out.integer("index", index).text("status", created() ? "created" : "error");
            if (task != null) {
                out.raw("task", task);
            }
            if (replayed) {
                out.bool("replayed", true);
            }
            if (fault != null) {
                out.object(
                        "error",
                        error ->
                                error.text("code", fault.error().code())
                                        .text("message", fault.message()));
            }
        }
    }

    /// @param items as JSON, each a task if it fits
    /// @param batchKey the key of the whole, from which those without one of their own have theirs
    /// @param from the index of the first
    List<Result> run(Principal caller, List<String> items, @Nullable String batchKey, long from) {
        var results = new TreeMap<Integer, Result>();
        var places = new ArrayList<Integer>();
        var bodies = new ArrayList<Values>();
        for (int i = 0; i < items.size(); i++) {
            try {
                byte[] item = items.get(i).getBytes(StandardCharsets.UTF_8);
                if (SentKeys.inBody(item)) {
                    results.put(i, failed(from + i, "An item must not hold an API key."));
                    continue;
                }
                bodies.add(TaskSpecs.CREATE.read(item));
                places.add(i);
            } catch (InvalidBody e) {
                results.put(i, failed(from + i, e.first().message()));
            }
        }
        List<Each<Submitted>> made =
                work.submitAll(submissions(caller, bodies, batchKey, places, from));
        for (int i = 0; i < places.size(); i++) {
            results.put(places.get(i), result(from + places.get(i), made.get(i)));
        }
        return List.copyOf(results.values());
    }

    /// Where items come to know each other: what one says of another of the same batch would be
    /// resolved here, before any is handed in.
    private static List<Submission> submissions(
            Principal caller,
            List<Values> bodies,
            @Nullable String batchKey,
            List<Integer> places,
            long from) {
        var submissions = new ArrayList<Submission>();
        for (int i = 0; i < bodies.size(); i++) {
            String own = bodies.get(i).textOrNull("idempotencyKey");
            submissions.add(
                    own != null || batchKey == null
                            ? TaskCreates.submission(caller, bodies.get(i), own)
                            : TaskCreates.submission(
                                    caller,
                                    bodies.get(i),
                                    "batch",
                                    ofItem(batchKey, from + places.get(i))));
        }
        return submissions;
    }

    /// Short, however long the batch's own key is.
    private static String ofItem(String batchKey, long index) {
        return UUID.nameUUIDFromBytes(batchKey.getBytes(StandardCharsets.UTF_8)) + "/" + index;
    }

    private static Result failed(long index, String message) {
        return new Result(index, null, false, new TaskFault(TaskError.INVALID_REQUEST, message));
    }

    private static Result result(long index, Each<Submitted> each) {
        Submitted submitted = each.answer();
        if (submitted == null) {
            return new Result(
                    index, null, false, TaskFault.of(Objects.requireNonNull(each.failure())));
        }
        return switch (submitted) {
            case Submitted.Created(var view) -> new Result(index, json(view), false, null);
            case Submitted.Replayed(var kept) ->
                    new Result(
                            index,
                            KEPT.read(kept.body().getBytes(StandardCharsets.UTF_8)).json("task"),
                            true,
                            null);
            default -> new Result(index, null, false, TaskFault.of(submitted));
        };
    }

    private static String json(WorkView view) {
        return JsonWriter.objectText(out -> TaskJson.write(out, view.item(), view.documents()));
    }
}
