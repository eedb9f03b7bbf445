/// Sliding windows in the database: how much was used of what, whoever counted it.
@NullMarked
package io.orchestrion.kernel.limit;

import org.jspecify.annotations.NullMarked;
