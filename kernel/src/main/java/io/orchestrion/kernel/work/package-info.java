/// The work item: its lifecycle, its profiles, and the verbs that move it.
@NullMarked
package io.orchestrion.kernel.work;

import org.jspecify.annotations.NullMarked;
