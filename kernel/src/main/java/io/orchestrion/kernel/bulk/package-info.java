/// One action on many items at once: chosen by a filter, worked off in small steps.
@NullMarked
package io.orchestrion.kernel.bulk;

import org.jspecify.annotations.NullMarked;
