/// Artifacts of runs: uploads, downloads, signed addresses, expiry and the sweeps.
@NullMarked
package io.orchestrion.runs.artifact;

import org.jspecify.annotations.NullMarked;
