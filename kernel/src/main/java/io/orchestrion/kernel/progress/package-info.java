/// How the lanes of this node get on.
@NullMarked
package io.orchestrion.kernel.progress;

import org.jspecify.annotations.NullMarked;
