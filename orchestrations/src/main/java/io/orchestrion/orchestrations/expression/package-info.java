/// What a definition computes from data: references, mappings, conditions and CEL.
@NullMarked
package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.NullMarked;
