/// Measures servers that run in processes of their own, and writes down what was seen.
@NullMarked
package io.orchestrion.bench;

import org.jspecify.annotations.NullMarked;
