package io.orchestrion.runs.engine;

import io.orchestrion.runs.run.Asked;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Requester;

import java.util.UUID;

/// A run that somebody asks for. Its plan and its policies are checked here, all else by the door.
public record NewRun(UUID account, Asked asked, Bounds bounds, Requester by) {}
