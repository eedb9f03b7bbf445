package io.orchestrion.kernel.identity;

import java.util.UUID;

/// A new key and the account that it opens.
public record Registration(UUID accountId, UUID keyId, ApiKey key, long createdMs) {}
