package io.orchestrion.server.tasks;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.json.JsonWriter;

/// Registering: an account and its first key.
public final class KeyHandlers {
    private final Identity identity;

    public KeyHandlers(Identity identity) {
        this.identity = identity;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(TaskEndpoints.REGISTER, this::register);
    }

    private Answer register(Call call) {
        Registration made = identity.register(call.json().text("name"));
        AgentContract contract = AgentContract.of(false, AgentContract.create().best());
        return Answer.json(
                        201,
                        JsonWriter.object(
                                out ->
                                        out.text("apiKey", made.key().reveal())
                                                .text("accountId", made.accountId().toString())
                                                .text("keyId", made.keyId().toString())
                                                .text("plan", Plan.FREE_ID)
                                                .instant("createdAt", made.createdMs())
                                                .object("agent_contract", contract::write)))
                .with("Cache-Control", "no-store");
    }
}
