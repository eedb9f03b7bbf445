/// Sliding windows in the database, which count how much was used, over all nodes.
@NullMarked
package io.orchestrion.kernel.limit;

import org.jspecify.annotations.NullMarked;
