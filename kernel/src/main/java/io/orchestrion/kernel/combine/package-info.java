/// Many requests of one kind become one transaction.
@NullMarked
package io.orchestrion.kernel.combine;

import org.jspecify.annotations.NullMarked;
