/// Which runners there are, kept in the database so that every process knows those of all others.
@NullMarked
package io.orchestrion.jobs.registry;

import org.jspecify.annotations.NullMarked;
