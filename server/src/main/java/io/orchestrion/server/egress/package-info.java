/// Asking other servers, bounded in time and size.
@NullMarked
package io.orchestrion.server.egress;

import org.jspecify.annotations.NullMarked;
