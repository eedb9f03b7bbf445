package io.orchestrion.runs.artifact;

import org.jspecify.annotations.Nullable;

/// What somebody wants to hand in.
///
/// @param length of the content; null when it is not known before
/// @param sha256 that the content must have, in hexadecimal of small letters; null for whichever it
///     has
public record Upload(Artifact.Of of, @Nullable Long length, @Nullable String sha256) {}
