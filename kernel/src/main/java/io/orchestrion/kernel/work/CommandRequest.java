package io.orchestrion.kernel.work;

import io.orchestrion.kernel.combine.OfAccount;

import java.util.UUID;

/// A command for one item of one account, as a door sends it.
///
/// @param profile the door's profile: an item of another queue is not found
/// @param documents whether the answer is to carry payload and result
public record CommandRequest(
        UUID accountId, Profile profile, UUID id, Command command, boolean documents)
        implements OfAccount {}
