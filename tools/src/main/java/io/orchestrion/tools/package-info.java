/// What the commands that try the product out share: servers of their own, tables, pages with
/// charts.
@NullMarked
package io.orchestrion.tools;

import org.jspecify.annotations.NullMarked;
