package io.orchestrion.runs.engine;

import io.orchestrion.runs.run.Requester;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Who asks for a change of which run, and why.
///
/// @param reason for the audit log and the list of transitions
public record Request(UUID account, UUID run, Requester by, @Nullable String reason) {}
