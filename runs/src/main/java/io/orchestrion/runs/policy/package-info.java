/// What follows from a failure, decided from values alone: no time, chance or storage but what is
/// handed in.
@NullMarked
package io.orchestrion.runs.policy;

import org.jspecify.annotations.NullMarked;
