/// The types that an account registers, their rules for tasks, and their limits under `/v1/types`.
@NullMarked
package io.orchestrion.server.types;

import org.jspecify.annotations.NullMarked;
