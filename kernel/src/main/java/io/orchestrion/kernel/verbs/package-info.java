/// The verbs on items inside an open transaction: lock, decide, write, tell.
@NullMarked
package io.orchestrion.kernel.verbs;

import org.jspecify.annotations.NullMarked;
