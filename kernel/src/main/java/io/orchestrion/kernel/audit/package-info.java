/// Who did what to an account, kept with the change that it tells of.
@NullMarked
package io.orchestrion.kernel.audit;

import org.jspecify.annotations.NullMarked;
