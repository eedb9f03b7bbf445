/// The workers inside this server: what they may have at once, how they keep their leases, and the
/// claim across accounts that feeds them.
@NullMarked
package io.orchestrion.kernel.pool;

import org.jspecify.annotations.NullMarked;
