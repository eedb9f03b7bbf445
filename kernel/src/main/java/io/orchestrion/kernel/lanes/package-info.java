/// Work as the doors see it: each call is combined with others in a lane and returns after its
/// commit.
@NullMarked
package io.orchestrion.kernel.lanes;

import org.jspecify.annotations.NullMarked;
