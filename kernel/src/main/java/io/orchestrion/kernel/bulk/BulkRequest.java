package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Profile;

import org.jspecify.annotations.Nullable;

/// An operation that somebody asks for.
///
/// @param profile the door's: items of other profiles are never touched
/// @param max how many items it may change at the most
/// @param why in the words of who asks
public record BulkRequest(
        Principal by,
        Profile profile,
        BulkAction action,
        BulkFilter filter,
        int max,
        @Nullable String why) {}
