/// What tests stand on: a real PostgreSQL, a clock to move, scenarios over HTTP.
@NullMarked
package io.orchestrion.testkit;

import org.jspecify.annotations.NullMarked;
