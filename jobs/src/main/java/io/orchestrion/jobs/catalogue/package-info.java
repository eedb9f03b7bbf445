/// What simulated work there is, and how a job's definition is made.
@NullMarked
package io.orchestrion.jobs.catalogue;

import org.jspecify.annotations.NullMarked;
