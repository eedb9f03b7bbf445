/// What a failure means and whether another attempt follows: classes of errors, retry policies and
/// the decision, the same for every engine.
@NullMarked
package io.orchestrion.kernel.retry;

import org.jspecify.annotations.NullMarked;
