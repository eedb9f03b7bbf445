/// The client commands of `./orchestrion`: they ask a server through the SDK and show the answer.
@NullMarked
package io.orchestrion.cli;

import org.jspecify.annotations.NullMarked;
