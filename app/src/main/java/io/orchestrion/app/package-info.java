/// The program behind `./orchestrion`: puts the parts together and offers them as commands.
@NullMarked
package io.orchestrion.app;

import org.jspecify.annotations.NullMarked;
