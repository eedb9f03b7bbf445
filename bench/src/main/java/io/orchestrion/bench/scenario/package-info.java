/// The kinds of load.
@NullMarked
package io.orchestrion.bench.scenario;

import org.jspecify.annotations.NullMarked;
