/// What doors have in common below their words: callers, misplaced keys, errors as data, problem
/// documents, requests that are sent again, and streams of events.
@NullMarked
package io.orchestrion.server.door;

import org.jspecify.annotations.NullMarked;
