/// What an account says about its types of work, and where that puts their items.
@NullMarked
package io.orchestrion.kernel.type;

import org.jspecify.annotations.NullMarked;
