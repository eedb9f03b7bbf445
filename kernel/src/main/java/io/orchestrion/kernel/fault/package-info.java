/// Named places where a test can stop, break or kill the program.
@NullMarked
package io.orchestrion.kernel.fault;

import org.jspecify.annotations.NullMarked;
