/// State machines as data.
@NullMarked
package io.orchestrion.kernel.lifecycle;

import org.jspecify.annotations.NullMarked;
