/// Runs as they are stored, with their attempts, transitions, decisions and plans.
@NullMarked
package io.orchestrion.runs.run;

import org.jspecify.annotations.NullMarked;
