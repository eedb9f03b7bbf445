/// Limits for each key of a type: how many at once, how many in a time, and whose turn it is.
@NullMarked
package io.orchestrion.kernel.flow;

import org.jspecify.annotations.NullMarked;
