package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

/// The server's descriptions of itself and of its interface. From [OrchestrionClient#documents].
/// Only [Kind#METRICS] needs a key.
///
/// ```java
/// String openapi = client.documents().get(Documents.Kind.OPENAPI);
/// String meaning = client.documents().problem("RFA_JOB_NOT_FOUND");
/// ```
public final class Documents {
    private final Transport transport;

    Documents(Transport transport) {
        this.transport = transport;
    }

    /// A document that every server has.
    public enum Kind {
        /// A summary of what the interface can do.
        CAPABILITIES("/v1/capabilities"),
        /// The tools for an agent, in the form of MCP.
        TOOLS("/v1/tool"),
        /// The whole interface as OpenAPI 3.1.
        OPENAPI("/v1/schema"),
        /// Where an agent finds the other documents.
        AGENT("/.well-known/agent.json"),
        /// The agent card of A2A.
        AGENT_CARD("/.well-known/agent-card.json"),
        /// A short guide for language models, as text.
        LLMS("/llms.txt"),
        /// Every error of the jobs door.
        PROBLEMS("/problems"),
        /// Whether this node takes traffic. It is a document also when the node takes none.
        READY("/ready"),
        /// Whether there are runners for jobs. It is a document also when there are none.
        JOBS_READY("/v1/jobs/ready"),
        /// The metrics in the form of Prometheus. Needs a key of the operator.
        METRICS("/metrics");

        private final String path;

        Kind(String path) {
            this.path = path;
        }
    }

    /// The document as the server sent it.
    public String get(Kind kind) {
        Call call = Call.get(kind.path);
        boolean state = kind == Kind.READY || kind == Kind.JOBS_READY;
        return transport.text(state ? call.repeated(false).accepting(503) : call);
    }

    /// The meaning of an error of the jobs door.
    ///
    /// @param code such as `RFA_JOB_NOT_FOUND`
    public String problem(String code) {
        return transport.text(Call.get(Kind.PROBLEMS.path + "/" + Parameters.encoded(code)));
    }
}
