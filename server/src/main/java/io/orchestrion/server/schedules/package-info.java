/// Schedules that create tasks: `/v1/schedules`.
@NullMarked
package io.orchestrion.server.schedules;

import org.jspecify.annotations.NullMarked;
