/// The ids of runs and of what they are made of, as people and programs see them.
@NullMarked
package io.orchestrion.runs.id;

import org.jspecify.annotations.NullMarked;
