/// Schedules: tasks that are made again and again at their times, each time once.
@NullMarked
package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.NullMarked;
