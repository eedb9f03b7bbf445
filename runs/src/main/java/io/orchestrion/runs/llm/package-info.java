/// An optional worker of this server that plans runs by asking a large language model.
@NullMarked
package io.orchestrion.runs.llm;

import org.jspecify.annotations.NullMarked;
