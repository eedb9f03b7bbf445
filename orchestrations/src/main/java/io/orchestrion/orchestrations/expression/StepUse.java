package io.orchestrion.orchestrations.expression;

/// A place that uses the result of a step.
///
/// @param pointer of the expression, as a JSON Pointer into the document
/// @param optional whether it says itself what to do without a result
public record StepUse(String pointer, String stepId, boolean optional) {}
