/// The settings that an account gives its types of work, and where they put their items.
@NullMarked
package io.orchestrion.kernel.type;

import org.jspecify.annotations.NullMarked;
