/// What all subjects of the tasks door answer with: its errors, its action codes and common fields.
@NullMarked
package io.orchestrion.server.taskdoor;

import org.jspecify.annotations.NullMarked;
