package io.orchestrion.kernel.combine;

import java.util.UUID;

/// A request of one account. A lane that has to do the requests of a batch alone learns from it
/// whose requests take long, and does the requests of others first.
public interface OfAccount {
    UUID accountId();
}
