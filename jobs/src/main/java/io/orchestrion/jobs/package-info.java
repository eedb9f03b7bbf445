/// The jobs engine: what a job is beyond a work item, its report, and how runners get it.
@NullMarked
package io.orchestrion.jobs;

import org.jspecify.annotations.NullMarked;
