package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What a holder shows to prove that the lease it speaks of is the current one. A door whose
/// contract asks for nothing passes [#NONE]: then being held by the account, with a live lease, is
/// enough.
public record Fence(@Nullable UUID token, @Nullable Long number) {
    public static final Fence NONE = new Fence(null, null);

    public static Fence of(@Nullable UUID token) {
        return token == null ? NONE : new Fence(token, null);
    }

    boolean fits(WorkItem item) {
        return (token == null || token.equals(item.leaseToken()))
                && (number == null || number == item.leaseNumber());
    }
}
