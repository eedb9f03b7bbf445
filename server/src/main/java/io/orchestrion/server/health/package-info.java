/// How a node does: `/health` and `/ready`.
@NullMarked
package io.orchestrion.server.health;

import org.jspecify.annotations.NullMarked;
