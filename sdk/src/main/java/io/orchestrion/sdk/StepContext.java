package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Consumer;

/// The context of one attempt at a step of a run: that of the task, and the way to the run.
final class StepContext implements RunStepContext {
    /// Bytes that the server takes at once.
    private static final int PIECE_BYTES_MAX = 65_536;

    private final TaskContext task;
    private final Runs runs;
    private final ClaimedStep step;

    StepContext(TaskContext task, Runs runs, ClaimedStep step) {
        this.task = task;
        this.runs = runs;
        this.step = step;
    }

    @Override
    public void tokens(long tokens) {
        if (tokens < 0) {
            throw new IllegalArgumentException("tokens must not be negative");
        }
        task.usage(Json.text(Json.object().put("tokens", tokens)));
    }

    @Override
    public void write(String text) {
        send("stdout", text);
    }

    @Override
    public void writeError(String text) {
        send("stderr", text);
    }

    private void send(String channel, String text) {
        // The server takes no U+0000, and no half of a character.
        String clean = text.replace('\0', '\uFFFD');
        int from = 0;
        while (from < clean.length()) {
            int to = end(clean, from);
            runs.write(
                    step.stepId(),
                    step.attemptId(),
                    claimed().leaseToken(),
                    channel,
                    clean.substring(from, to));
            from = to;
        }
    }

    /// The end of the longest piece from there on that is not too long.
    private static int end(String text, int from) {
        int to = Math.min(text.length(), from + PIECE_BYTES_MAX);
        while (text.substring(from, to).getBytes(StandardCharsets.UTF_8).length > PIECE_BYTES_MAX) {
            to = from + (to - from) / 2;
        }
        return to < text.length() && to - from > 1 && Character.isHighSurrogate(text.charAt(to - 1))
                ? to - 1
                : to;
    }

    @Override
    public ClaimedTask claimed() {
        return task.claimed();
    }

    @Override
    public int attempt() {
        return step.attemptNumber();
    }

    @Override
    public @Nullable String correlationId() {
        return task.correlationId();
    }

    @Override
    public @Nullable Instant leaseExpiresAt() {
        return task.leaseExpiresAt();
    }

    @Override
    public Directives directives() {
        return task.directives();
    }

    @Override
    public void onDirectives(Consumer<Directives> listener) {
        task.onDirectives(listener);
    }

    @Override
    public void usage(String json) {
        task.usage(json);
    }

    @Override
    public void logsRef(String where) {
        task.logsRef(where);
    }
}
