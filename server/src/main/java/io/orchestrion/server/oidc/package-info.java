/// Workers that show a token of an outside issuer: its keys, and what is checked of a token.
@NullMarked
package io.orchestrion.server.oidc;

import org.jspecify.annotations.NullMarked;
