/// The work item: what it is, its profiles and its graph, and what a command makes of it, without
/// a database.
@NullMarked
package io.orchestrion.kernel.work;

import org.jspecify.annotations.NullMarked;
