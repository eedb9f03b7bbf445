/// Credits of accounts: prices, balances, the ledger that is only added to, and what steps used.
@NullMarked
package io.orchestrion.runs.credit;

import org.jspecify.annotations.NullMarked;
