package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.http.Handler;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// What the calling key is for, known while its request is handled, so that the guidance offers
/// nothing that the key may not do.
public final class CallerScopes {
    private static final ScopedValue<Set<Scope>> SCOPES = ScopedValue.newInstance();

    private CallerScopes() {}

    /// A handler that knows.
    public static Handler during(Handler handler) {
        return call -> {
            Principal caller = call.attached(Principal.class).orElse(null);
            return caller == null
                    ? handler.handle(call)
                    : ScopedValue.where(SCOPES, caller.scopes()).call(() -> handler.handle(call));
        };
    }

    /// For what is written for the caller on another thread.
    static <T> T within(Set<Scope> scopes, Supplier<T> body) {
        return ScopedValue.where(SCOPES, scopes).call(body::get);
    }

    /// The actions as they stand for this caller. Where the best of them is not for its key, the
    /// first that is takes its place.
    static List<NextAction> seen(List<NextAction> actions) {
        if (!SCOPES.isBound() || SCOPES.get().contains(Scope.ADMIN)) {
            return actions;
        }
        Set<Scope> scopes = SCOPES.get();
        var seen = new ArrayList<NextAction>(actions.size());
        boolean advised = false;
        for (NextAction action : actions) {
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
