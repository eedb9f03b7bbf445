/// Strict JSON: one declaration of a body both reads it and describes it, and answers are written
/// without trees.
@NullMarked
package io.orchestrion.kernel.json;

import org.jspecify.annotations.NullMarked;
