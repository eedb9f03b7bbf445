package io.orchestrion.server.contract;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.limits.Pace;
import io.orchestrion.server.limits.Paces;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// The scopes and the pace of the calling key, bound while its request is handled. Next actions are
/// written by them: none is offered that the key may not do, and no wait ends before a limit does.
public final class CallerScopes {
    private static final ScopedValue<Set<Scope>> SCOPES = ScopedValue.newInstance();
    private static final ScopedValue<Pace> PACE = ScopedValue.newInstance();

    private CallerScopes() {}

    /// The handler, with the scopes and the pace of its caller bound.
    public static Handler during(Handler handler, Paces paces) {
        return call -> {
            Principal caller = call.attached(Principal.class).orElse(null);
            Pace pace = paces.of(caller);
            // An answer to a failed handler is written outside of it, and needs the pace too.
            call.attach(Pace.class, pace);
            ScopedValue.Carrier known = ScopedValue.where(PACE, pace);
            return (caller == null ? known : known.where(SCOPES, caller.scopes()))
                    .call(() -> handler.handle(call));
        };
    }

    /// Writes an answer to a call at its caller's pace, also where its handler has ended.
    static <T> T paced(Call call, Supplier<T> body) {
        Pace pace = PACE.isBound() ? null : call.attached(Pace.class).orElse(null);
        return pace == null ? body.get() : ScopedValue.where(PACE, pace).call(body::get);
    }

    /// For what is written once for all callers, whoever asked for it first.
    public static <T> T forAnybody(Supplier<T> body) {
        return ScopedValue.where(SCOPES, Set.of(Scope.ADMIN)).where(PACE, Pace.ANY).call(body::get);
    }

    /// For what is written for the caller on another thread, at its pace.
    public static <T> T within(Set<Scope> scopes, Pace pace, Supplier<T> body) {
        return ScopedValue.where(SCOPES, scopes).where(PACE, pace).call(body::get);
    }

    /// The pace of this caller.
    public static Pace pace() {
        return PACE.isBound() ? PACE.get() : Pace.ANY;
    }

    /// For what is written for the caller on another thread.
    public static <T> T within(Set<Scope> scopes, Supplier<T> body) {
        return ScopedValue.where(SCOPES, scopes).call(body::get);
    }

    /// The actions as they stand for this caller. Where the best of them is not for its key, the
    /// first that is takes its place.
    static List<NextAction> seen(List<NextAction> actions) {
        List<NextAction> paced = actions.stream().map(each -> each.at(pace())).toList();
        if (!SCOPES.isBound() || SCOPES.get().contains(Scope.ADMIN)) {
            return paced;
        }
        Set<Scope> scopes = SCOPES.get();
        var seen = new ArrayList<NextAction>(actions.size());
        boolean advised = false;
        for (NextAction action : paced) {
            NextAction own = action.code().isFor(scopes) ? action : action.notNow();
            advised |= own.recommended();
            seen.add(own);
        }
        for (int i = 0; i < seen.size() && !advised; i++) {
            if (seen.get(i).available()) {
                seen.set(i, seen.get(i).best());
                advised = true;
            }
        }
        return seen;
    }
}
