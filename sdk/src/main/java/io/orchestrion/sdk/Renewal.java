package io.orchestrion.sdk;

/// The answer to a heartbeat.
public record Renewal(Task task, Directives directives) {}
