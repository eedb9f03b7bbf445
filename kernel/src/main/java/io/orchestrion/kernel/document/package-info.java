/// Reads JSON documents that people and workers write: strictly, within bounds, and with all that
// is
/// wrong found at once.
@NullMarked
package io.orchestrion.kernel.document;

import org.jspecify.annotations.NullMarked;
