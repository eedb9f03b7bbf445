/// Requests as an ordinary client sends them, and how long their answers took.
@NullMarked
package io.orchestrion.bench.load;

import org.jspecify.annotations.NullMarked;
