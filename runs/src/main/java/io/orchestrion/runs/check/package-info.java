/// What must hold of all rows of runs and credits, looked up in the database page by page.
@NullMarked
package io.orchestrion.runs.check;

import org.jspecify.annotations.NullMarked;
