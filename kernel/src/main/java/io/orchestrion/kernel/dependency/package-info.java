/// Which item waits for which, and which ends are still to be told.
@NullMarked
package io.orchestrion.kernel.dependency;

import org.jspecify.annotations.NullMarked;
