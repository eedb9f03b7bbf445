/// A run in figures, as tables, JSON and a page with charts.
@NullMarked
package io.orchestrion.simulator.report;

import org.jspecify.annotations.NullMarked;
