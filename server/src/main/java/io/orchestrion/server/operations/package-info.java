/// Operations on many tasks at once: `/v1/operations`.
@NullMarked
package io.orchestrion.server.operations;

import org.jspecify.annotations.NullMarked;
