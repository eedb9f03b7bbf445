/// The operator's side: settings, start and stop of the server, exit codes and what is printed
/// meanwhile.
@NullMarked
package io.orchestrion.server.ops;

import org.jspecify.annotations.NullMarked;
