package io.orchestrion.kernel.identity;

import java.util.Set;
import java.util.UUID;

/// The sender of a request: one account, by one of its keys.
public record Principal(UUID accountId, UUID keyId, Set<Scope> scopes) {}
