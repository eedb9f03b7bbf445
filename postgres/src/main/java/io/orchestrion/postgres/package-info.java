/// The embedded PostgreSQL server as a supervised child process.
@NullMarked
package io.orchestrion.postgres;

import org.jspecify.annotations.NullMarked;
