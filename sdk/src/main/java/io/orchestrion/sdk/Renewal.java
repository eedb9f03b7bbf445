package io.orchestrion.sdk;

/// The answer to a heartbeat: the task, and what the server asks of its holder.
public record Renewal(Task task, Directives directives) {}
