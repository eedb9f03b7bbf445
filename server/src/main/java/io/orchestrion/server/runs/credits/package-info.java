/// Credits over HTTP: what an account has, its ledger, and what the server's operator can do.
@NullMarked
package io.orchestrion.server.runs.credits;

import org.jspecify.annotations.NullMarked;
