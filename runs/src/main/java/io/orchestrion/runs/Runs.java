package io.orchestrion.runs;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.artifact.ArtifactSubjects;
import io.orchestrion.runs.credit.CreditSubjects;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.engine.Created;
import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.engine.RunEngine;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.engine.Subjects;
import io.orchestrion.runs.run.RunListener;
import io.orchestrion.runs.ticket.Ticket;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// The engine of runs as a door sees it. Its verbs are parts of the caller's transaction, so that a
/// door can store its answer with what was done; [#inOne] is for callers that have none.
public final class Runs {
    /// What the engine tells of; given to a kernel that is to have runs.
    public static final List<SubjectKind> SUBJECTS =
            Stream.concat(
                            Subjects.ALL.stream(),
                            Stream.of(CreditSubjects.CREDIT, ArtifactSubjects.ARTIFACT))
                    .toList();

    private final Kernel kernel;
    private final RunEngine engine;

    /// @param kernel that is not started yet
    public Runs(Kernel kernel, RunsOptions options) {
        this.kernel = kernel;
        this.engine = new RunEngine(kernel, options);
        new RunActions(this).addTo(kernel.actions());
    }

    /// A verb with its transaction.
    public interface Verb<T> {
        T in(Tx tx) throws SQLException;
    }

    /// Does it in a transaction of its own, which is tried again after a conflict.
    public <T> T inOne(Verb<T> verb) {
        return kernel.database().retried(verb::in);
    }

    /// Something that belongs to runs and is kept elsewhere; before the kernel is started.
    public void add(RunListener listener) {
        engine.add(listener);
    }

    public Ledger ledger() {
        return engine.ledger();
    }

    /// How many runs this node drives now.
    public int driven() {
        return engine.driven();
    }

    /// What is wrong with a run that is asked for; null where nothing is. It belongs before the
    /// transaction, as schemas of a plan may take a while.
    public @Nullable Created refused(NewRun asked) {
        return engine.refused(asked);
    }

    /// Makes a run of which [#refused] said nothing.
    public Created create(Tx tx, NewRun asked) throws SQLException {
        return engine.create(tx, asked);
    }

    public Ack start(Tx tx, Request request) throws SQLException {
        return engine.runs().start(tx, request);
    }

    public Ack pause(Tx tx, Request request) throws SQLException {
        return engine.runs().pause(tx, request);
    }

    public Ack resume(Tx tx, Request request) throws SQLException {
        return engine.runs().resume(tx, request);
    }

    public Ack cancel(Tx tx, Request request) throws SQLException {
        return engine.runs().cancel(tx, request);
    }

    public Ack retry(Tx tx, Request request) throws SQLException {
        return engine.runs().retry(tx, request);
    }

    public Ack delete(Tx tx, Request request) throws SQLException {
        return engine.runs().delete(tx, request);
    }

    /// For whoever runs the server: ends a run that nothing else ends.
    public Ack forceFail(Tx tx, Request request) throws SQLException {
        return engine.runs().forceFail(tx, request);
    }

    public Ack cancelAgent(Tx tx, Request request, UUID agent) throws SQLException {
        return engine.tree().cancelAgent(tx, request, agent);
    }

    public Ack cancelTask(Tx tx, Request request, UUID task) throws SQLException {
        return engine.tree().cancelTask(tx, request, task);
    }

    /// What is wrong with a plan that somebody hands in; null where nothing is. It belongs before
    /// the transaction, as schemas of a plan may take a while.
    ///
    /// @param plan JSON text
    public @Nullable Ack refusedPlan(Request request, String plan) {
        return engine.tree().refusedPlan(request, plan);
    }

    /// Hands in a plan of which [#refusedPlan] said nothing, while a worker was to make it.
    public Ack planByHand(Tx tx, Request request, String plan) throws SQLException {
        return engine.tree().planByHand(tx, request, plan);
    }

    /// @param request whose run is of no account: the ticket says which it is
    /// @param how to resume or to cancel
    public Ack resolveTicket(
            Tx tx, UUID ticket, Request request, Ticket.Resolution how, @Nullable String note)
            throws SQLException {
        return engine.tickets().resolve(tx, ticket, request, how, note);
    }

    /// @param request whose run is of no account: the approval says which it is
    public Ack decideApproval(
            Tx tx, UUID approval, Request request, boolean approve, @Nullable String note)
            throws SQLException {
        return engine.tickets().decide(tx, approval, request, approve, note);
    }
}
