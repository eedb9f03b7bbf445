/// Credits over HTTP: what an account has, its ledger, and what the server's operator does about
// both.
@NullMarked
package io.orchestrion.server.runs.credits;

import org.jspecify.annotations.NullMarked;
