/// What steps write while they are under way, for whoever watches.
@NullMarked
package io.orchestrion.runs.output;

import org.jspecify.annotations.NullMarked;
