/// Plans: what an account may use, for how long, and how much of it is used.
@NullMarked
package io.orchestrion.kernel.plan;

import org.jspecify.annotations.NullMarked;
