/// Tasks and batches of tasks: `/v1/tasks`, in the words of the contract.
@NullMarked
package io.orchestrion.server.tasks;

import org.jspecify.annotations.NullMarked;
