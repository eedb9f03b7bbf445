/// What is taken out of texts that others write before they are stored, logged or shown.
@NullMarked
package io.orchestrion.kernel.redact;

import org.jspecify.annotations.NullMarked;
