/// What an orchestration definition is: how it is read, checked, written and drawn.
@NullMarked
package io.orchestrion.orchestrations.definition;

import org.jspecify.annotations.NullMarked;
