/// Messages that leave after their transaction, at least once.
@NullMarked
package io.orchestrion.kernel.outbox;

import org.jspecify.annotations.NullMarked;
