package io.orchestrion.sdk;

import java.math.BigDecimal;

/// The credits of the account; from [Credits#balance].
///
/// ```java
/// CreditBalance credits = client.credits().balance();
/// System.out.println(credits.available() + " of " + credits.balance() + " are free");
/// ```
///
/// @param balance granted or given back, and not charged
/// @param reserved the part of it that runs have reserved
/// @param available what the next run can reserve
public record CreditBalance(BigDecimal balance, BigDecimal reserved, BigDecimal available) {}
