/// Accounts, their keys, and which account a request belongs to.
@NullMarked
package io.orchestrion.kernel.identity;

import org.jspecify.annotations.NullMarked;
