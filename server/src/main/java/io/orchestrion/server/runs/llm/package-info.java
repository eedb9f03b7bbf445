/// What the operator sets of the model that plans runs and of whoever is on call for them.
@NullMarked
package io.orchestrion.server.runs.llm;

import org.jspecify.annotations.NullMarked;
