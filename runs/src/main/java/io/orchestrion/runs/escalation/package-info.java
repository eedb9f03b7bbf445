/// Tells whoever is on call of tickets, over a webhook that the operator has set.
@NullMarked
package io.orchestrion.runs.escalation;

import org.jspecify.annotations.NullMarked;
