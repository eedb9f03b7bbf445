/// What the engine tells an observer: interfaces only, so that the kernel needs no library for it.
@NullMarked
package io.orchestrion.kernel.signals;

import org.jspecify.annotations.NullMarked;
