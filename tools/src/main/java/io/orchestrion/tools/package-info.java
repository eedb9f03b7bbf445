/// What commands share: terminals, help and slips, exit codes; and for those that try the product
/// out, servers of their own, tables, pages with charts.
@NullMarked
package io.orchestrion.tools;

import org.jspecify.annotations.NullMarked;
