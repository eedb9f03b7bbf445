package io.orchestrion.bench.load;

/// What follows an answer: another request, or the end of the step.
public sealed interface Next permits Request, Done {}
