/// Connections, transactions, named statements and migrations: the only door to PostgreSQL.
@NullMarked
package io.orchestrion.kernel.db;

import org.jspecify.annotations.NullMarked;
