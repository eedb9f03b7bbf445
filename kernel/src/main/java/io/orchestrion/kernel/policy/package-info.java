/// What a worker may take, what an item asks of its worker, and the workers that wait by their
/// policy.
@NullMarked
package io.orchestrion.kernel.policy;

import org.jspecify.annotations.NullMarked;
