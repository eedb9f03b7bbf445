/// The life of the process: its commands, start and stop, the database that it opens, its log and
/// what it prints.
@NullMarked
package io.orchestrion.server.ops;

import org.jspecify.annotations.NullMarked;
