/// What a node remembers to spare the database questions; never the only place of anything.
@NullMarked
package io.orchestrion.kernel.memory;

import org.jspecify.annotations.NullMarked;
