/// Durable leased work on PostgreSQL: wiring of everything the doors share.
@NullMarked
package io.orchestrion.kernel;

import org.jspecify.annotations.NullMarked;
