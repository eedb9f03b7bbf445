/// What an engine may ask of other servers: whom it may call, and calls that are bounded in time
/// and size.
@NullMarked
package io.orchestrion.kernel.egress;

import org.jspecify.annotations.NullMarked;
