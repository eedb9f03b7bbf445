package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/// Steps that failed for good. From [Orchestrations#deadLetters]. The key needs the scope
/// `operator` or `admin`.
///
/// ```java
/// DeadLetters letters = client.orchestrations().deadLetters();
/// for (DeadLetter letter : letters.list(DeadLetterQuery.ALL.withStatus("open")).items()) {
///     letters.reprocess(letter.id(), "the bank is back", false);
/// }
/// ```
///
/// When an answer is lost, the client repeats reads and resolve. Reprocess is sent once: the status
/// of the dead letter tells whether it was done.
public final class DeadLetters {
    private static final String DLQ = Orchestrations.BASE + "/dlq";

    private final Transport transport;

    DeadLetters(Transport transport) {
        this.transport = transport;
    }

    /// A page of dead letters.
    public Page<DeadLetter> list(DeadLetterQuery query) {
        return transport.send(
                Call.get(DLQ + query.parameters()),
                OrchestrationWire.page(OrchestrationWire::deadLetter));
    }

    /// Reads one dead letter.
    public DeadLetter get(UUID id) {
        return transport.send(Call.get(DLQ + "/" + id), OrchestrationWire::deadLetter);
    }

    /// Tries the step again.
    ///
    /// @param reason for the audit log, 1 to 500 characters
    /// @param confirmUnsafe that it is right to repeat a step that is not safe to repeat
    public DeadLetter reprocess(UUID id, String reason, boolean confirmUnsafe) {
        return transport.send(
                Call.post(
                        DLQ + "/" + id + "/reprocess",
                        Orchestrations.retryBody(reason, confirmUnsafe)),
                OrchestrationWire::deadLetter);
    }

    /// Tries the steps of many dead letters again, each for itself.
    ///
    /// @param ids at most 100
    /// @param reason for the audit log, 1 to 500 characters
    /// @param confirmUnsafe that it is right to repeat steps that are not safe to repeat
    public List<Reprocessed> reprocess(Collection<UUID> ids, String reason, boolean confirmUnsafe) {
        ObjectNode body = Orchestrations.retryBody(reason, confirmUnsafe);
        var list = body.putArray("ids");
        ids.forEach(id -> list.add(id.toString()));
        return transport.send(Call.post(DLQ + "/reprocess", body), OrchestrationWire::reprocessed);
    }

    /// Closes a dead letter without another attempt.
    ///
    /// @param note what was done about it, 1 to 5000 characters
    public DeadLetter resolve(UUID id, String note) {
        return transport.settle(
                Call.post(DLQ + "/" + id + "/resolve", Json.object().put("note", note))
                        .repeated(true),
                OrchestrationWire::deadLetter,
                () -> get(id),
                now -> now.status().equals("resolved"));
    }
}
