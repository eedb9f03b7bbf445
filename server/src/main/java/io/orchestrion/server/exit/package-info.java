/// How the program ends: its exit codes, and the failures that an operator can act on.
@NullMarked
package io.orchestrion.server.exit;

import org.jspecify.annotations.NullMarked;
