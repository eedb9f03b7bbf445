/// What was measured, as table, JSON and page.
@NullMarked
package io.orchestrion.bench.report;

import org.jspecify.annotations.NullMarked;
