package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What a holder shows to prove that the lease it speaks of is the current one. A door whose
/// contract asks for nothing passes [#NONE]: then being held by the account, with a live lease, is
/// enough.
///
/// @param holder the name under which it was claimed, where the door's contract goes by that
public record Fence(@Nullable UUID token, @Nullable Long number, @Nullable String holder) {
    public static final Fence NONE = new Fence(null, null);

    public Fence(@Nullable UUID token, @Nullable Long number) {
        this(token, number, null);
    }

    public static Fence of(@Nullable UUID token) {
        return token == null ? NONE : new Fence(token, null);
    }

    /// Of who says its name, and its token where it has kept that.
    public static Fence ofHolder(String holder, @Nullable UUID token) {
        return new Fence(token, null, holder);
    }

    boolean fits(WorkItem item) {
        return (token == null || token.equals(item.lease().token()))
                && (number == null || number == item.lease().number())
                && (holder == null || holder.equals(item.holding().holder()));
    }

    /// Whether its bearer shows that it once held the item, which is over now.
    boolean held(WorkItem ended) {
        Settled settled = ended.holding().settled();
        if (token != null) {
            return settled != null && token.equals(settled.token());
        }
        return number != null
                ? number >= 1 && number <= ended.lease().number()
                : holder != null && holder.equals(ended.holding().holder());
    }

    /// Why its bearer may not speak of the item; null when it may. Ended work is told by its state,
    /// which says more to a late holder than its lost lease.
    @Nullable Refusal refusal(WorkItem item, WorkState wanted, long nowMs) {
        if (!item.state().ended() && !fits(item)) {
            return new Refusal.LeaseLost(item);
        }
        if (item.revoked()
                && Profiles.named(item.profile()).keeping().lateReports() > 0
                && (equals(NONE) || held(item))) {
            return new Refusal.Revoked(item);
        }
        if (item.state() != wanted) {
            return new Refusal.WrongState(item);
        }
        return item.leaseLive(nowMs) ? null : new Refusal.LeaseExpired(item);
    }
}
