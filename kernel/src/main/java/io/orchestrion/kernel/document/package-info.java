/// Reads JSON documents that people and workers write: strictly, within bounds, and finds all that
/// is wrong at once.
@NullMarked
package io.orchestrion.kernel.document;

import org.jspecify.annotations.NullMarked;
