/// One server node, put together: kernel, doors, HTTP, and how `serve` starts it.
@NullMarked
package io.orchestrion.server;

import org.jspecify.annotations.NullMarked;
