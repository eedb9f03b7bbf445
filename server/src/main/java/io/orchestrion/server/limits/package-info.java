/// Rate limits: the catalogue of them, and the gate that holds callers to it.
@NullMarked
package io.orchestrion.server.limits;

import org.jspecify.annotations.NullMarked;
