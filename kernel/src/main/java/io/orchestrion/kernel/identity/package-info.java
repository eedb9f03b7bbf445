/// Accounts, their keys, and who a request speaks for.
@NullMarked
package io.orchestrion.kernel.identity;

import org.jspecify.annotations.NullMarked;
