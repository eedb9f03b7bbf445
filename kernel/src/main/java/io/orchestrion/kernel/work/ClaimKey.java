package io.orchestrion.kernel.work;

import java.util.UUID;

/// What makes two claims one: whoever asks again with it is given the same leases.
///
/// @param digest of what is asked for; another digest under the id is a conflict
public record ClaimKey(UUID id, UUID digest) {}
