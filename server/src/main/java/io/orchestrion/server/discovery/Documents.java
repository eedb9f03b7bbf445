package io.orchestrion.server.discovery;

/// All documents that are made from one set of facts, as bytes.
public final class Documents {
    private final Facts facts;

    public Documents(Facts facts) {
        this.facts = facts;
    }

    public byte[] capabilities() {
        return new CapabilitiesDocument(facts).bytes();
    }

    public byte[] tool() {
        return new ToolDocument(facts).bytes();
    }

    public byte[] openApi() {
        return new OpenApiDocument(facts).bytes();
    }

    public byte[] agent() {
        return new AgentDocuments(facts).manifest();
    }

    public byte[] agentCard() {
        return new AgentDocuments(facts).card();
    }

    public byte[] llms() {
        return new LlmsText(facts).bytes();
    }
}
