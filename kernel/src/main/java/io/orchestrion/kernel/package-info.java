/// Durable leased work on PostgreSQL: everything the doors share.
@NullMarked
package io.orchestrion.kernel;

import org.jspecify.annotations.NullMarked;
