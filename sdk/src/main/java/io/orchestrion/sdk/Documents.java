package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

/// What a server says of itself and of its interface. From [OrchestrionClient#documents]; only
/// [Kind#METRICS] needs a key.
public final class Documents {
    private final Transport transport;

    Documents(Transport transport) {
        this.transport = transport;
    }

    /// A document that every server has.
    public enum Kind {
        /// What the interface can do, in short.
        CAPABILITIES("/v1/capabilities"),
        /// The tools of an agent, in the form of MCP.
        TOOLS("/v1/tool"),
        /// The whole interface as OpenAPI 3.1.
        OPENAPI("/v1/schema"),
        /// Where an agent finds what.
        AGENT("/.well-known/agent.json"),
        /// The agent card of A2A.
        AGENT_CARD("/.well-known/agent-card.json"),
        /// A short guide for language models, as text.
        LLMS("/llms.txt"),
        /// Every error of the jobs door.
        PROBLEMS("/problems"),
        /// Whether this node takes traffic; a document also when it does not.
        READY("/ready"),
        /// Whether there are runners for jobs; a document also when there are none.
        JOBS_READY("/v1/jobs/ready"),
        /// The metrics in the form of Prometheus, for the operator's key.
        METRICS("/metrics");

        private final String path;

        Kind(String path) {
            this.path = path;
        }
    }

    /// As the server sent it.
    public String get(Kind kind) {
        Call call = Call.get(kind.path);
        boolean state = kind == Kind.READY || kind == Kind.JOBS_READY;
        return transport.text(state ? call.repeated(false).accepting(503) : call);
    }

    /// What an error of the jobs door means.
    ///
    /// @param code such as `RFA_JOB_NOT_FOUND`
    public String problem(String code) {
        return transport.text(Call.get(Kind.PROBLEMS.path + "/" + Parameters.encoded(code)));
    }
}
