/// The work kinds a simulated job can be, and the choice of one from a seed.
@NullMarked
package io.orchestrion.jobs.catalogue;

import org.jspecify.annotations.NullMarked;
