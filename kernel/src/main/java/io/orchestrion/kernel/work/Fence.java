package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What a holder sends to prove that it has the current lease. A door whose contract asks for no
/// proof passes [#NONE]: then it is enough that the account holds the item under a live lease.
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

    /// For a holder that says its name, and its token if it has kept that.
    public static Fence ofHolder(String holder, @Nullable UUID token) {
        return new Fence(token, null, holder);
    }

    boolean fits(WorkItem item) {
        return (token == null || token.equals(item.lease().token()))
                && (number == null || number == item.lease().number())
                && (holder == null || holder.equals(item.holding().holder()));
    }

    /// Whether the sender shows that it once held this item, which has ended since.
    boolean held(WorkItem ended) {
        Settled settled = ended.holding().settled();
        if (token != null) {
            return settled != null && token.equals(settled.token());
        }
        return number != null
                ? number >= 1 && number <= ended.lease().number()
                : holder != null && holder.equals(ended.holding().holder());
    }

    /// Why the sender may not report on the item; null when it may. For an item that has ended the
    /// refusal names the state, because that tells a late holder more than that its lease is lost.
    public @Nullable Refusal refusal(WorkItem item, WorkState wanted, long nowMs) {
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
