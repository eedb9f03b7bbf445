package io.orchestrion.kernel.work;

import java.util.UUID;

/// Says that two claims are one and the same request. A claim that is sent again with its key is
/// given the same leases.
///
/// @param digest of what is asked for; another digest under the id is a conflict
public record ClaimKey(UUID id, UUID digest) {}
