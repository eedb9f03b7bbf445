package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.Dependencies;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.WorkItem;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/// Makes the answers to commands that were decided and written, with documents where the requests
/// ask for them.
final class Acks {
    private Acks() {}

    static List<Ack> of(
            Tx tx, UUID account, List<CommandRequest> requests, List<Decision> decisions)
            throws SQLException {
        List<UUID> wanted =
                requests.stream()
                        .filter(CommandRequest::documents)
                        .map(CommandRequest::id)
                        .toList();
        Map<UUID, Documents> documents =
                wanted.isEmpty()
                        ? Map.of()
                        : Dependencies.withParents(
                                tx,
                                account,
                                decisions.stream().flatMap(Acks::itemOf).toList(),
                                WorkSql.documents(tx, account, wanted));
        var acks = new ArrayList<Ack>();
        for (int i = 0; i < requests.size(); i++) {
            Documents mine = documents.get(requests.get(i).id());
            acks.add(
                    switch (decisions.get(i)) {
                        case Decision.Refuse(var refusal) ->
                                new Ack.Refused(refusal, tx.nowMillis());
                        case Decision.Touch(var after) ->
                                new Ack.Applied(after, mine, tx.nowMillis());
                        case Decision.Nothing(var item) ->
                                new Ack.Applied(item, mine, tx.nowMillis());
                        case Decision.Change(var transitions, var then) ->
                                then != null
                                        ? new Ack.Refused(then, tx.nowMillis())
                                        : new Ack.Applied(
                                                transitions.getLast().after(),
                                                mine,
                                                tx.nowMillis());
                    });
        }
        return acks;
    }

    private static Stream<WorkItem> itemOf(Decision decision) {
        return switch (decision) {
            case Decision.Change(var transitions, _) -> Stream.of(transitions.getLast().after());
            case Decision.Touch(var after) -> Stream.of(after);
            case Decision.Nothing(var item) -> Stream.of(item);
            case Decision.Refuse _ -> Stream.empty();
        };
    }
}
