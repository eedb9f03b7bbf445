package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.combine.Rounds;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.itemlog.Appended;
import io.orchestrion.kernel.itemlog.LogLine;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.PolicyClaim;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/// What each lane does with the requests of many callers, in one transaction. The answers are in
/// the order of the requests. Accounts are always served in the same order, so that two batches
/// lock in the same order.
public final class WorkBatches {
    private final WorkVerbs verbs;

    public WorkBatches(WorkVerbs verbs) {
        this.verbs = verbs;
    }

    public List<Submitted> submit(Tx tx, List<Submission> submissions) throws SQLException {
        return grouped(
                submissions,
                submission -> submission.work().accountId(),
                (account, mine) -> verbs.submit(tx, account, mine));
    }

    public List<Claimed> claim(Tx tx, List<ClaimRequest> requests) throws SQLException {
        return grouped(
                requests,
                ClaimRequest::accountId,
                (account, mine) ->
                        grouped(
                                mine,
                                ClaimRequest::queue,
                                (queue, same) -> verbs.claim(tx, account, queue, same)));
    }

    /// Claims by policy. Each is of one account, and all are for the queue of the policies.
    public <Q> List<Claimed> claimByPolicy(
            Tx tx,
            String queue,
            List<Q> requests,
            Function<Q, UUID> account,
            Function<Q, PolicyClaim> claim)
            throws SQLException {
        return grouped(
                requests,
                account,
                (id, mine) ->
                        new PolicyRound(verbs, tx, id, queue, mine.stream().map(claim).toList())
                                .run());
    }

    public List<Appended> append(Tx tx, List<LogLine> lines) throws SQLException {
        return grouped(
                lines,
                LogLine::accountId,
                (account, mine) -> verbs.log().append(tx, account, mine));
    }

    /// Whether [#hold] is the way for the command: it has a statement for it, which as far as this
    /// node knows does not pass over the item because of its owner.
    public boolean holds(CommandRequest request) {
        return HolderRound.serves(request)
                && !(request.command() instanceof Command.Complete
                        && verbs.owners().likelyOwn(request.id()));
    }

    /// Heartbeats and completions, with one guarded statement for each kind. A request that the
    /// statement does not match has no answer.
    public List<Optional<Ack>> hold(Tx tx, List<CommandRequest> requests) throws SQLException {
        return grouped(
                requests,
                CommandRequest::accountId,
                (account, mine) -> {
                    var left = new HashSet<UUID>();
                    return inRounds(
                            mine, round -> new HolderRound(verbs, tx, account, round, left).run());
                });
    }

    /// The holders' commands, with owners locked before their items. A request whose owner another
    /// session holds has no answer.
    public List<Optional<Ack>> settle(Tx tx, List<CommandRequest> requests) throws SQLException {
        return grouped(
                requests,
                CommandRequest::accountId,
                (account, mine) -> {
                    OwnerLocks locks = verbs.locks(tx, account);
                    return inRounds(
                            mine, round -> new CommandRound(verbs, tx, account, locks).run(round));
                });
    }

    /// Any commands, including claims of named items. A request whose owner another session holds
    /// has no answer.
    public List<Optional<Ack>> command(Tx tx, List<CommandRequest> requests) throws SQLException {
        return grouped(
                requests,
                CommandRequest::accountId,
                (account, mine) -> {
                    LeaseRound.lockRoom(verbs, tx, account, mine);
                    OwnerLocks locks = verbs.locks(tx, account);
                    return inRounds(
                            mine, round -> new LeaseRound(verbs, tx, account, round, locks).run());
                });
    }

    private interface GroupBody<K, Q, A> {
        List<A> run(K key, List<Q> requests) throws SQLException;
    }

    private static <K extends Comparable<? super K>, Q, A> List<A> grouped(
            List<Q> requests, Function<Q, K> key, GroupBody<K, Q, A> body) throws SQLException {
        var groups = new TreeMap<K, List<Integer>>();
        for (int i = 0; i < requests.size(); i++) {
            groups.computeIfAbsent(key.apply(requests.get(i)), _ -> new ArrayList<>()).add(i);
        }
        var places = new ArrayList<Integer>();
        var answers = new ArrayList<A>();
        for (var group : groups.entrySet()) {
            places.addAll(group.getValue());
            answers.addAll(
                    body.run(
                            group.getKey(), group.getValue().stream().map(requests::get).toList()));
        }
        return inOrder(places, answers);
    }

    /// Two requests of one round must not share any of these.
    private sealed interface Share {
        record Item(UUID id) implements Share {}

        /// A claim id that is used for two items is a conflict. The second request can only see it
        /// after the first.
        record Claim(UUID id) implements Share {}
    }

    /// Requests for the same item are done one after the other, in the order in which they came.
    private static <A> List<A> inRounds(
            List<CommandRequest> requests, Rounds.Body<CommandRequest, A, SQLException> body)
            throws SQLException {
        return Rounds.run(
                requests,
                request ->
                        request.command() instanceof Command.Lease lease && lease.key() != null
                                ? List.of(
                                        new Share.Item(request.id()),
                                        new Share.Claim(lease.key().id()))
                                : List.of(new Share.Item(request.id())),
                body);
    }

    private static <A> List<A> inOrder(List<Integer> places, List<A> answers) {
        if (places.size() != answers.size()) {
            throw new IllegalStateException(
                    answers.size() + " answers for " + places.size() + " requests");
        }
        var byPlace = new TreeMap<Integer, A>();
        for (int i = 0; i < places.size(); i++) {
            byPlace.put(places.get(i), answers.get(i));
        }
        return List.copyOf(byPlace.values());
    }
}
