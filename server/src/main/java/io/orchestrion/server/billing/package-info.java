/// Selling plans: checkout, payment by a provider, and activation exactly once.
@NullMarked
package io.orchestrion.server.billing;

import org.jspecify.annotations.NullMarked;
