/// The same key brings the same answer, once.
@NullMarked
package io.orchestrion.kernel.idempotency;

import org.jspecify.annotations.NullMarked;
