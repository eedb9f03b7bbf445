/// The tasks door: `/v1/tasks` and `/v1/keys`, in the words of its contract.
@NullMarked
package io.orchestrion.server.tasks;

import org.jspecify.annotations.NullMarked;
