/// The orchestrations door: definitions, executions, approvals, dead letters and reviews under
/// `/v1/orchestrations`.
@NullMarked
package io.orchestrion.server.orchestrations;

import org.jspecify.annotations.NullMarked;
