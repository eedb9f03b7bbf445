/// JSON Schemas that accounts hand in: checked before they are kept, and run within bounds.
@NullMarked
package io.orchestrion.kernel.schema;

import org.jspecify.annotations.NullMarked;
