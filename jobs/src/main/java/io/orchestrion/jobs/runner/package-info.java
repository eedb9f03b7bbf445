/// Runs jobs: claims them one at a time, keeps their leases, does or simulates their work, and
/// stops it when it counts for nothing any more.
@NullMarked
package io.orchestrion.jobs.runner;

import org.jspecify.annotations.NullMarked;
