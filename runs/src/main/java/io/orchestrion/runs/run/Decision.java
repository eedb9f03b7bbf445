package io.orchestrion.runs.run;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// What the engine decided of a run, an agent, a task or a step, and by what.
///
/// @param subject the step, task, agent or run that it is about
/// @param trigger which rule led to it; null where there is only one
/// @param inputs JSON text
/// @param outcome JSON text
public record Decision(
        UUID id,
        UUID run,
        int attempt,
        Level level,
        UUID subject,
        Kind kind,
        @Nullable String trigger,
        String inputs,
        String outcome,
        long atMs) {

    public enum Level {
        STEP,
        TASK,
        AGENT,
        RUN;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        static Level of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst()
                    .orElseThrow();
        }
    }

    public enum Kind {
        /// The same once more.
        RETRY,
        /// The level has failed for good; its parent decides what follows.
        STOP,
        /// The parent goes on without it.
        SKIP,
        /// The parent fails, too.
        FAIL,
        /// People are asked.
        ESCALATE,
        /// The run ends.
        ABORT,
        /// Another plan is made.
        REPLAN,
        /// A trigger was looked at and nothing follows.
        GO_ON;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Kind::word).toList();
        }

        static Kind of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
