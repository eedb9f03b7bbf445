package io.orchestrion.server.runs;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.contract.ContractGates;
import io.orchestrion.server.contract.ShutDoor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.limits.RateLimiter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The gates of the runs door. What is under `/admin` is for the account of whoever runs the
/// server, whatever scopes another has. With a fault in its settings all of the door is shut.
public final class RunGates {
    private RunGates() {}

    public static List<Gate> of(Identity identity, RateLimiter limiter, @Nullable String fault) {
        var gates =
                new ArrayList<Gate>(new ContractGates<>(identity, limiter, RunAnswers.ALL).gates());
        if (fault != null) {
            gates.add(ShutDoor.gate(RunAnswers.ALL, RunsDoor.NAME, fault));
        }
        return List.copyOf(gates);
    }

    /// Around the handlers of what is under `/admin`. No gate, because what is wrong with a request
    /// is the same for everybody.
    public static Handler operatorsAlone(Handler handler) {
        return call ->
                isAdministration(call) && !Callers.account(call).equals(Identity.LOCAL_ACCOUNT)
                        ? RunAnswers.error(
                                call, RunError.FORBIDDEN, "This is for a key of the account local.")
                        : handler.handle(call);
    }

    private static boolean isAdministration(Call call) {
        Endpoint endpoint = call.endpoint();
        return endpoint != null && endpoint.path().startsWith(RunsDoor.ADMIN + "/");
    }
}
