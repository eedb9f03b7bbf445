/// A sample of an engine, written against nothing but what the kernel makes public.
@NullMarked
package io.orchestrion.testkit.sample;

import org.jspecify.annotations.NullMarked;
