/// The interfaces for somebody who writes handlers that do real work for jobs.
@NullMarked
package io.orchestrion.jobs.handler;

import org.jspecify.annotations.NullMarked;
