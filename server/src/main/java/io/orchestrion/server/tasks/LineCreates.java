package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.AnswerStream;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Lines;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Tasks that come line by line, as many as there are: no more than a chunk of them is held, and
/// the results of one chunk are sent before the next is read.
final class LineCreates {
    private static final int CHUNK = 500;

    private final BatchCreates creates;
    private final RateLimiter limiter;
    private final Principal caller;
    private final @Nullable String key;
    private long lines;
    private long created;

    LineCreates(BatchCreates creates, RateLimiter limiter, Principal caller, @Nullable String key) {
        this.creates = creates;
        this.limiter = limiter;
        this.caller = caller;
        this.key = key;
    }

    Answer answer(Call call) {
        Lines body = call.lines(BatchSpecs.LINE_BYTES_MAX);
        // Before the answer begins: a client that waits to be told to go on must be told first.
        List<String> first = chunk(body);
        return Answer.stream(200, BatchEndpoints.NDJSON, out -> write(out, body, first));
    }

    private void write(AnswerStream out, Lines body, List<String> first) throws IOException {
        List<String> chunk = first;
        while (!chunk.isEmpty()) {
            for (BatchCreates.Result result : results(chunk)) {
                created += result.created() ? 1 : 0;
                out.write(line(JsonWriter.objectText(result::write)));
            }
            lines += chunk.size();
            chunk = out.ending() ? List.of() : chunk(body);
        }
        boolean stopped = out.ending();
        out.write(
                line(
                        CallerScopes.within(
                                caller.scopes(),
                                () -> JsonWriter.objectText(o -> end(o, stopped)))));
    }

    private void end(JsonWriter out, boolean stopped) {
        out.object(
                        "summary",
                        summary ->
                                summary.integer("lines", lines)
                                        .integer("created", created)
                                        .integer("failed", lines - created)
                                        .bool("complete", !stopped))
                .object("agent_contract", AgentContract.forCreatedBatch(created > 0)::write);
    }

    private static byte[] line(String json) {
        return (json + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// Empty lines say nothing and are passed over.
    private static List<String> chunk(Lines body) {
        var chunk = new ArrayList<String>();
        while (chunk.size() < CHUNK) {
            byte[] next = body.next();
            if (next == null) {
                break;
            }
            String text = new String(next, StandardCharsets.UTF_8);
            if (!text.isBlank()) {
                chunk.add(text);
            }
        }
        return chunk;
    }

    private List<BatchCreates.Result> results(List<String> chunk) {
        RateLimiter.Several several = limiter.countSeveral(RateLimits.CREATE, caller, chunk.size());
        if (several.refusedBy() == null) {
            return creates.run(caller, TaskSpecs.CREATE, chunk, key, lines);
        }
        var fault =
                new TaskFault(
                        TaskError.RATE_LIMITED,
                        "At most "
                                + several.max()
                                + " an hour, and "
                                + several.left()
                                + " are left for the "
                                + chunk.size()
                                + " lines that came together; send them again in "
                                + TaskAnswers.waitSeconds(several.waitMs())
                                + " seconds.");
        var results = new ArrayList<BatchCreates.Result>();
        for (int i = 0; i < chunk.size(); i++) {
            results.add(BatchCreates.Result.failed(lines + i, fault));
        }
        return results;
    }
}
