package io.orchestrion.server.tasks;

import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.InvalidBody;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.door.SentKeys;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskFault;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/// Makes tasks out of several items, each for itself: what is wrong with one is in its own result,
/// and in those of the items that depend on it.
final class BatchCreates {
    /// Reads the task out of an answer that was kept.
    private static final ObjectSpec KEPT =
            ObjectSpec.named("Kept")
                    .required(Field.object("task"))
                    .optional(Field.bool("existing"))
                    .unknown(ObjectSpec.Unknown.IGNORE);

    private static final ObjectSpec KEPT_TASK =
            ObjectSpec.named("KeptTask")
                    .required(Field.text("id"))
                    .unknown(ObjectSpec.Unknown.IGNORE);

    private final Work work;
    private final TaskCreates creates;

    BatchCreates(Work work, TaskCreates creates) {
        this.work = work;
        this.creates = creates;
    }

    /// What came of one item.
    ///
    /// @param id of the task, null when there is none
    /// @param task as JSON, null when there is none
    /// @param replayed whether the same was sent before
    /// @param existing whether it is the task that its unique key already had
    record Result(
            long index,
            @Nullable UUID id,
            @Nullable String task,
            boolean replayed,
            boolean existing,
            @Nullable TaskFault fault) {

        static Result failed(long index, TaskFault fault) {
            return new Result(index, null, null, false, false, fault);
        }

        boolean created() {
            return fault == null && !existing;
        }

        boolean failed() {
            return fault != null;
        }

        void write(JsonWriter out) {
            out.integer("index", index)
                    .text("status", failed() ? "error" : existing ? "existing" : "created");
            if (task != null) {
                out.raw("task", task);
            }
            if (replayed) {
                out.bool("replayed", true);
            }
            if (fault != null) {
                out.object("error", fault::write);
            }
        }
    }

    /// @param spec of one item
    /// @param items as JSON, each a task if it fits
    /// @param batchKey the key of the whole, from which those without one of their own have theirs
    /// @param from the index of the first
    List<Result> run(
            Producer producer,
            ObjectSpec spec,
            List<byte[]> items,
            @Nullable String batchKey,
            long from) {
        var results = new TreeMap<Integer, Result>();
        var bodies = new TreeMap<Integer, Values>();
        for (int i = 0; i < items.size(); i++) {
            try {
                byte[] item = items.get(i);
                if (SentKeys.inBody(item)) {
                    results.put(i, failed(from + i, "An item must not hold an API key."));
                } else {
                    bodies.put(i, spec.read(item));
                }
            } catch (InvalidBody e) {
                results.put(i, failed(from + i, e.first().message()));
            }
        }
        var refs = BatchRefs.of(bodies);
        refs.faults()
                .forEach((place, message) -> results.put(place, failed(from + place, message)));
        var budget = new CheckBudget();
        // Items that others depend on are made before them. Most batches have a single such layer.
        for (List<Integer> layer : refs.layers()) {
            makeLayer(producer, layer, bodies, refs, batchKey, from, results, budget);
        }
        return List.copyOf(results.values());
    }

    private void makeLayer(
            Producer producer,
            List<Integer> layer,
            TreeMap<Integer, Values> bodies,
            BatchRefs refs,
            @Nullable String batchKey,
            long from,
            TreeMap<Integer, Result> results,
            CheckBudget budget) {
        var places = new ArrayList<Integer>();
        var submissions = new ArrayList<Submission>();
        for (int place : layer) {
            Values body = Objects.requireNonNull(bodies.get(place));
            var parents = new ArrayList<UUID>();
            String missing = null;
            for (int parent : refs.parentsOf(place)) {
                Result made = results.get(parent);
                UUID id = made == null ? null : made.id();
                if (id == null) {
                    missing = "It depends on item " + (from + parent) + ", which was not made.";
                } else {
                    parents.add(id);
                }
            }
            if (missing != null) {
                results.put(place, failed(from + place, missing));
                continue;
            }
            switch (draft(producer, body, batchKey, from + place, parents, budget)) {
                case TaskCreates.Draft.Ready(var submission) -> {
                    places.add(place);
                    submissions.add(submission);
                }
                case TaskCreates.Draft.Known(var first) ->
                        results.put(place, result(from + place, first));
                case TaskCreates.Draft.Faulty(var fault) ->
                        results.put(place, Result.failed(from + place, fault));
            }
        }
        List<Each<Submitted>> made = work.submitAll(submissions);
        for (int i = 0; i < places.size(); i++) {
            int place = places.get(i);
            Submitted submitted = made.get(i).answer();
            results.put(
                    place,
                    submitted == null
                            ? Result.failed(
                                    from + place,
                                    TaskFault.of(Objects.requireNonNull(made.get(i).failure())))
                            : result(from + place, submitted));
        }
    }

    private TaskCreates.Draft draft(
            Producer producer,
            Values body,
            @Nullable String batchKey,
            long index,
            List<UUID> parents,
            CheckBudget budget) {
        String own = body.textOrNull("idempotencyKey");
        return own != null || batchKey == null
                ? creates.draft(producer, body, "create", own, parents, budget)
                : creates.draft(producer, body, "batch", ofItem(batchKey, index), parents, budget);
    }

    /// Short, however long the batch's own key is.
    private static String ofItem(String batchKey, long index) {
        return UUID.nameUUIDFromBytes(batchKey.getBytes(StandardCharsets.UTF_8)) + "/" + index;
    }

    private static Result failed(long index, String message) {
        return Result.failed(index, new TaskFault(TaskError.INVALID_REQUEST, message));
    }

    private static Result result(long index, Submitted submitted) {
        return switch (submitted) {
            case Submitted.Created(var view) -> made(index, view, false);
            case Submitted.Existing(var view) -> made(index, view, true);
            case Submitted.Replayed(var kept) -> {
                Values answer = KEPT.read(kept.body().getBytes(StandardCharsets.UTF_8));
                String task = answer.json("task");
                String id = KEPT_TASK.read(task.getBytes(StandardCharsets.UTF_8)).text("id");
                boolean existing = Boolean.TRUE.equals(answer.boolOrNull("existing"));
                yield new Result(index, UUID.fromString(id), task, true, existing, null);
            }
            default -> Result.failed(index, Objects.requireNonNull(TaskRefusals.of(submitted)));
        };
    }

    private static Result made(long index, WorkView view, boolean before) {
        return new Result(
                index,
                view.item().id(),
                JsonWriter.objectText(out -> TaskJson.write(out, view.item(), view.documents())),
                false,
                before,
                null);
    }
}
