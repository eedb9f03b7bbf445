/// Plans and their purchase over HTTP: `/v1/billing`.
@NullMarked
package io.orchestrion.server.checkout;

import org.jspecify.annotations.NullMarked;
