package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.contract.CallerScopes;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.AnswerStream;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Lines;
import io.orchestrion.server.limits.Pace;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskFault;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Tasks that come line by line, as many as there are: no more than a chunk of them is held, and
/// the results of one chunk are sent before the next is read.
final class LineCreates {
    private static final int CHUNK = 500;

    /// So that few clients with long lines cannot fill the memory.
    private static final int CHUNK_BYTES = 256 * 1024;

    private final BatchCreates creates;
    private final RateLimiter limiter;
    private final Producer producer;
    private final Principal caller;
    private final Pace pace = CallerScopes.pace();
    private final @Nullable String key;
    private long lines;
    private long created;
    private long failed;
    private @Nullable TaskError firstError;

    LineCreates(
            BatchCreates creates, RateLimiter limiter, Producer producer, @Nullable String key) {
        this.creates = creates;
        this.limiter = limiter;
        this.producer = producer;
        this.caller = producer.principal();
        this.key = key;
    }

    Answer answer(Call call) {
        Lines body = call.lines(BatchSpecs.LINE_BYTES_MAX, CHUNK_BYTES);
        // Before the answer begins: a client that waits to be told to go on must be told first.
        byte[] first = body.next();
        return Answer.stream(
                200,
                BatchEndpoints.NDJSON,
                out -> write(out, body, first == null ? List.of() : chunk(body, first)));
    }

    private void write(AnswerStream out, Lines body, List<byte[]> first) throws IOException {
        List<byte[]> chunk = first;
        boolean more = true;
        while (more) {
            for (BatchCreates.Result result : results(chunk)) {
                created += result.created() ? 1 : 0;
                TaskFault fault = result.fault();
                if (fault != null) {
                    failed++;
                    firstError = firstError == null ? fault.error() : firstError;
                }
                out.write(line(JsonWriter.objectText(result::write)));
            }
            lines += chunk.size();
            byte[] next = out.ending() ? null : body.next();
            more = next != null;
            chunk = next == null ? List.of() : chunk(body, next);
        }
        boolean stopped = out.ending();
        out.write(
                line(
                        CallerScopes.within(
                                caller.scopes(),
                                pace,
                                () -> JsonWriter.objectText(o -> end(o, stopped)))));
    }

    private void end(JsonWriter out, boolean stopped) {
        out.object(
                        "summary",
                        summary ->
                                summary.integer("lines", lines)
                                        .integer("created", created)
                                        .integer("failed", failed)
                                        .bool("complete", !stopped))
                .object(
                        "agent_contract",
                        TaskGuidance.forCreatedBatch(created > 0 ? null : firstError)::write);
    }

    private static byte[] line(String json) {
        return (json + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// As many lines as are handled together. Empty lines mean nothing, but are counted here.
    private static List<byte[]> chunk(Lines body, byte @Nullable [] first) {
        var chunk = new ArrayList<byte[]>();
        int bytes = 0;
        byte[] next = first;
        for (int read = 0; next != null; read++) {
            if (!blank(next)) {
                chunk.add(next);
                bytes += next.length;
            }
            if (bytes >= CHUNK_BYTES || read >= CHUNK) {
                break;
            }
            next = body.next();
        }
        return chunk;
    }

    private static boolean blank(byte[] line) {
        for (byte each : line) {
            if (each != ' ' && each != '\t') {
                return false;
            }
        }
        return true;
    }

    /// If not all fit under the limit, the first ones are made.
    private List<BatchCreates.Result> results(List<byte[]> chunk) {
        RateLimiter.Several several = limiter.countSeveral(RateLimits.CREATE, caller, chunk.size());
        if (several.refusedBy() == null) {
            return creates.run(producer, TaskSpecs.CREATE, chunk, key, lines);
        }
        int fit = Math.min(several.left(), chunk.size());
        boolean taken =
                fit > 0 && limiter.countSeveral(RateLimits.CREATE, caller, fit).refusedBy() == null;
        var results = new ArrayList<BatchCreates.Result>();
        if (taken) {
            results.addAll(
                    creates.run(producer, TaskSpecs.CREATE, chunk.subList(0, fit), key, lines));
        }
        var fault =
                new TaskFault(
                        TaskError.RATE_LIMITED,
                        "At most "
                                + several.max()
                                + " an hour; send this line again in "
                                + TaskAnswers.waitSeconds(several.waitMs())
                                + " seconds.");
        for (int i = results.size(); i < chunk.size(); i++) {
            results.add(BatchCreates.Result.failed(lines + i, fault));
        }
        return results;
    }
}
