package io.orchestrion.server.settings;

import java.nio.file.Path;

/// Where a value came from, in the order of precedence.
sealed interface Origin {
    record Flag(String name) implements Origin {
        @Override
        public String toString() {
            return "option " + name;
        }
    }

    record Environment(String name) implements Origin {
        @Override
        public String toString() {
            return "environment " + name;
        }
    }

    record FileLine(Path file, int line) implements Origin {
        @Override
        public String toString() {
            return file + " line " + line;
        }
    }

    record Default() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }
}
