package io.orchestrion.runs.id;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// How ids are shown: a UUID behind a word that says what it is the id of. In storage they are
/// plain UUIDs. Whoever sends one may leave the word out.
public enum PublicId {
    RUN("run_"),
    AGENT("agent_"),
    TASK("rtask_"),
    STEP("step_"),
    ATTEMPT("att_"),
    ARTIFACT("art_"),
    TICKET("ticket_"),
    ENTRY("entry_");

    private static final String UUID_PATTERN =
            "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

    private final String prefix;

    PublicId(String prefix) {
        this.prefix = prefix;
    }

    public String prefix() {
        return prefix;
    }

    public String of(UUID id) {
        return prefix + id;
    }

    public @Nullable String ofNullable(@Nullable UUID id) {
        return id == null ? null : of(id);
    }

    /// What may be sent, as a regular expression.
    public String pattern() {
        return "^(" + prefix + ")?" + UUID_PATTERN + "$";
    }

    /// Null for what is no such id: nobody has one like it.
    public @Nullable UUID read(String text) {
        String bare = text.startsWith(prefix) ? text.substring(prefix.length()) : text;
        return bare.matches(UUID_PATTERN) ? UUID.fromString(bare) : null;
    }
}
