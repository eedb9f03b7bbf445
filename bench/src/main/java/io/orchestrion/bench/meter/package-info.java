/// What a run cost: processor time, memory, bytes written.
@NullMarked
package io.orchestrion.bench.meter;

import org.jspecify.annotations.NullMarked;
