/// What people are asked: tickets of runs that were escalated, and calls of tools that need a yes.
@NullMarked
package io.orchestrion.runs.ticket;

import org.jspecify.annotations.NullMarked;
