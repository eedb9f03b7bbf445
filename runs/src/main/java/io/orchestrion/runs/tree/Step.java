package io.orchestrion.runs.tree;

import io.orchestrion.runs.state.StepStatus;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/// A step of a task.
///
/// @param seq the number of its newest event
public record Step(
        UUID id,
        Home home,
        Call call,
        Links links,
        StepStatus status,
        int seq,
        Progress progress,
        @Nullable Output output,
        Times times,
        Fault fault) {

    /// What workers do of a step.
    public enum Kind {
        /// The call of a tool.
        TOOL,
        /// The plan of the run.
        RUN_PLAN,
        /// The next tasks of its agent.
        AGENT_PLAN;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        static Kind of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst()
                    .orElseThrow();
        }
    }

    public record Home(UUID run, UUID agent, UUID task, int sequence, String name, Kind kind) {}

    /// What is to be done.
    ///
    /// @param input JSON text
    /// @param timeoutMs of one attempt; null for that of the run
    /// @param maxTokens what one attempt may use; null where nobody said
    /// @param outputSchema JSON text of a JSON Schema; null where any output will do
    /// @param confirmed whether a person is asked before the tool is called
    /// @param key the same for every attempt of it in an attempt of the run
    public record Call(
            String tool,
            String input,
            @Nullable Long timeoutMs,
            int maxAttempts,
            @Nullable Long maxTokens,
            @Nullable String outputSchema,
            boolean confirmed,
            String key) {}

    /// How far it is.
    ///
    /// @param approved whether a person has said yes
    /// @param open the attempt or the approval that is under way
    /// @param attempt of the current attempt of its task; 0 before the first
    /// @param made attempts in all
    public record Progress(
            boolean approved,
            @Nullable UUID open,
            int attempt,
            int made,
            @Nullable Long notBeforeMs) {
        public static final Progress FIRST = new Progress(false, null, 0, 0, null);

        /// With something under way.
        public Progress opened(UUID id) {
            return new Progress(approved, id, attempt, made, notBeforeMs);
        }

        /// With another attempt under way.
        public Progress attempted(UUID id) {
            return new Progress(approved, id, attempt + 1, made + 1, null);
        }

        public Progress closed() {
            return new Progress(approved, null, attempt, made, notBeforeMs);
        }

        public Progress notBefore(@Nullable Long timeMs) {
            return new Progress(approved, open, attempt, made, timeMs);
        }

        public Progress approvedNow() {
            return new Progress(true, null, attempt, made, notBeforeMs);
        }
    }

    /// What a step gave. A large output is kept with the item that it came from, and is not stored
    /// a second time.
    ///
    /// @param json null where the item has it
    /// @param bytes of its JSON text
    /// @param item that has it; null where the step has it
    public record Output(@Nullable String json, int bytes, @Nullable UUID item) {
        public static Output of(String json, int bytes) {
            return new Output(json, bytes, null);
        }

        public static Output in(UUID item, int bytes) {
            return new Output(null, bytes, item);
        }
    }

    /// The output of a planning step, which is kept with the step however large it is.
    public String document() {
        return Objects.requireNonNull(Objects.requireNonNull(output).json());
    }

    public record Times(long createdMs, @Nullable Long startedMs, @Nullable Long endedMs) {
        public Times ended(long nowMs) {
            return new Times(createdMs, startedMs, nowMs);
        }
    }

    /// In another status, which is an event.
    public Step in(StepStatus next) {
        return new Step(id, home, call, links, next, seq + 1, progress, output, times, fault);
    }

    /// After an event that changes no status.
    public Step told() {
        return new Step(id, home, call, links, status, seq + 1, progress, output, times, fault);
    }

    public Step with(Progress other) {
        return new Step(id, home, call, links, status, seq, other, output, times, fault);
    }

    public Step giving(Output given) {
        return new Step(id, home, call, links, status, seq, progress, given, times, fault);
    }

    public Step with(Times other) {
        return new Step(id, home, call, links, status, seq, progress, output, other, fault);
    }

    public Step with(Fault other) {
        return new Step(id, home, call, links, status, seq, progress, output, times, other);
    }
}
