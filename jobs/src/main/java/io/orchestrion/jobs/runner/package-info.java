/// Runs jobs: claims them one at a time, keeps their leases, does or simulates their work, and
/// stops it when its outcome no longer counts.
@NullMarked
package io.orchestrion.jobs.runner;

import org.jspecify.annotations.NullMarked;
