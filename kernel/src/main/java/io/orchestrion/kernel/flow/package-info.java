/// Limits for each key of a type: how many at once, how many in a time, and which key is next.
@NullMarked
package io.orchestrion.kernel.flow;

import org.jspecify.annotations.NullMarked;
