package io.orchestrion.kernel.combine;

import java.util.UUID;

/// A request of one account. A lane that has to go on one by one knows by it whose requests take
/// long, so that those of others do not wait for them.
public interface OfAccount {
    UUID accountId();
}
