/// What the event log adds up to: counted once for all nodes, and never uncounted.
@NullMarked
package io.orchestrion.kernel.totals;

import org.jspecify.annotations.NullMarked;
