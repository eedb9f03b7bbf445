/// What somebody writes who has real work done by jobs.
@NullMarked
package io.orchestrion.jobs.handler;

import org.jspecify.annotations.NullMarked;
