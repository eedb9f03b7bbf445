package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;
import io.orchestrion.sdk.plan.Plan;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/// Runs: what agents do for a task, step by step, within a budget. From [OrchestrionClient#runs].
///
/// ```java
/// Runs runs = client.runs();
/// Run run = runs.create(NewRun.of("Research", "What is durable execution?").build());
/// runs.start(run.id());
/// Optional<Run> ended = runs.await(run.id(), Duration.ofMinutes(10));
/// ended.ifPresent(now -> System.out.println(now.status() + ", " + now.creditsCharged()));
/// ```
///
/// Workers plan the run and do its steps: [Worker.Builder#runSteps].
///
/// Ids are as the server writes them, with their prefix. Every change is sent with a key, so that
/// the client can repeat it when an answer is lost, and nothing is done twice.
public final class Runs {
    static final String ROOT = "/api/v1";

    private static final String RUNS = ROOT + "/runs";

    private final Transport transport;

    Runs(Transport transport) {
        this.transport = transport;
    }

    /// Files that belong to runs.
    public RunArtifacts artifacts() {
        return new RunArtifacts(transport);
    }

    /// Tickets by which people were called for runs.
    public Escalations escalations() {
        return new Escalations(transport);
    }

    /// Calls of tools that people are asked about.
    public RunApprovals approvals() {
        return new RunApprovals(transport);
    }

    /// What whoever runs the server does with runs and credits of all accounts.
    public RunAdmin admin() {
        return new RunAdmin(transport);
    }

    /// Makes a run. It does nothing until it is started. If the server has seen its key within 24
    /// hours, the answer is the run that was made then.
    public Run create(NewRun run) {
        return transport.send(
                Call.post(RUNS, Json.raw(run.json())).withKey(run.idempotencyKey()), RunWire::run);
    }

    /// Reserves the credits of its first attempt and has it picked up. To start a run that is under
    /// way changes nothing.
    public Run start(String id) {
        return start(id, null);
    }

    /// @param reason for the history, at most 500 characters; null for nothing
    public Run start(String id, @Nullable String reason) {
        return ordered(id, "/start", reason);
    }

    /// Has nothing new begin. What a worker has goes on, and its result is kept.
    ///
    /// @param reason for the history, at most 500 characters; null for nothing
    public Run pause(String id, @Nullable String reason) {
        return ordered(id, "/pause", reason);
    }

    /// Goes on where it was paused.
    public Run resume(String id, @Nullable String reason) {
        return ordered(id, "/resume", reason);
    }

    /// Ends a run. Workers lose its steps, and credits that were not used are given back.
    public Run cancel(String id, @Nullable String reason) {
        return ordered(id, "/cancel", reason);
    }

    /// Has a failed run begin another attempt, with credits of its own.
    public Run retry(String id, @Nullable String reason) {
        return ordered(id, "/retry", reason);
    }

    private Run ordered(String id, String verb, @Nullable String reason) {
        ObjectNode body = Json.object();
        putIfThere(body, "reason", reason);
        return transport.send(keyed(Call.post(path(id, verb), body)), RunWire::run);
    }

    static Call keyed(Call call) {
        return call.withKey(UUID.randomUUID().toString());
    }

    /// Deletes a run that was never started.
    ///
    /// @return false if an earlier try, whose answer was lost, has deleted it
    public boolean delete(String id) {
        return transport.delete(path(id, ""));
    }

    /// Hands in the plan, while the run waits for a worker to make it.
    public Run plan(String id, Plan plan) {
        return planJson(id, plan.json());
    }

    /// @param json JSON text of a plan
    public Run planJson(String id, String json) {
        return transport.send(
                keyed(Call.post(path(id, "/plan"), Json.object(json, "plan"))), RunWire::run);
    }

    /// Ends one agent of a run. The run goes on as its failure mode says.
    public RunAgent cancelAgent(String id, String agent, @Nullable String reason) {
        return part(id, "/agents/", agent, reason, RunWire::agent);
    }

    /// Ends one task of an agent. The agent goes on as its failure mode says.
    public RunTask cancelTask(String id, String task, @Nullable String reason) {
        return part(id, "/tasks/", task, reason, RunWire::task);
    }

    private <T> T part(
            String id,
            String kind,
            String part,
            @Nullable String reason,
            Function<JsonNode, T> reader) {
        ObjectNode body = Json.object();
        putIfThere(body, "reason", reason);
        String path = path(id, kind + Parameters.encoded(part) + "/cancel");
        return transport.send(keyed(Call.post(path, body)), reader);
    }

    /// A run with what it waits for.
    public Run get(String id) {
        return transport.send(Call.get(path(id, "")), RunWire::run);
    }

    /// A run with a page of its agents, tasks and steps.
    public RunTree tree(String id, RunTree.Part part) {
        return transport.send(Call.get(path(id, "") + part.parameters()), RunWire::tree);
    }

    /// Every agent, task and step of its present attempt. Each page is read when it is needed.
    public Iterable<RunNode> nodes(String id) {
        return () -> new TreeWalk(this, id);
    }

    /// A page of runs.
    public Page<Run> list(RunQuery query) {
        return transport.send(
                Call.get(RUNS + query.parameters()), OrchestrationWire.page(RunWire::run));
    }

    /// A page of its attempts with their credits, oldest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<RunAttempt> attempts(String id, @Nullable Integer limit, @Nullable String cursor) {
        return page(id, "/attempts", Parameters.page(limit, cursor), RunWire::attempt);
    }

    /// A page of the changes of its status, oldest first.
    public Page<RunTransition> transitions(
            String id, @Nullable Integer limit, @Nullable String cursor) {
        return page(id, "/transitions", Parameters.page(limit, cursor), RunWire::transition);
    }

    /// A page of what was decided about it and its parts, oldest first.
    public Page<RunDecision> decisions(
            String id, @Nullable Integer limit, @Nullable String cursor) {
        return page(id, "/decisions", Parameters.page(limit, cursor), RunWire::decision);
    }

    /// A page of what happened to it, oldest first.
    public Page<RunEvent> events(String id, @Nullable Integer limit, @Nullable String cursor) {
        return page(id, "/events", Parameters.page(limit, cursor), RunWire::event);
    }

    /// A page of the plans that it has had, oldest first.
    ///
    /// @param limit 1 to 10; null for the server's default
    public Page<RunPlan> plans(String id, @Nullable Integer limit, @Nullable String cursor) {
        return page(id, "/plans", Parameters.page(limit, cursor), RunWire::plan);
    }

    /// A page of its agents, oldest first.
    ///
    /// @param attemptNumber of this attempt only; null for all
    public Page<RunAgent> agents(
            String id,
            @Nullable Integer attemptNumber,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var asked = Parameters.page(limit, cursor).with("attempt_number", attemptNumber);
        return page(id, "/agents", asked, RunWire::agent);
    }

    /// One agent of a run.
    public RunAgent agent(String id, String agent) {
        return one(id, "/agents/" + Parameters.encoded(agent), RunWire::agent);
    }

    /// A page of the tasks of an agent, in their order.
    public Page<RunTask> tasks(
            String id, String agent, @Nullable Integer limit, @Nullable String cursor) {
        String rest = "/agents/" + Parameters.encoded(agent) + "/tasks";
        return page(id, rest, Parameters.page(limit, cursor), RunWire::task);
    }

    /// One task of a run.
    public RunTask task(String id, String task) {
        return one(id, "/tasks/" + Parameters.encoded(task), RunWire::task);
    }

    /// A page of the steps of a task, in their order.
    public Page<RunStep> steps(
            String id, String task, @Nullable Integer limit, @Nullable String cursor) {
        String rest = "/tasks/" + Parameters.encoded(task) + "/steps";
        return page(id, rest, Parameters.page(limit, cursor), RunWire::step);
    }

    /// One step of a run with its output and a page of its attempts.
    ///
    /// @param limit attempts, 1 to 100; null for the server's default
    /// @param cursor [RunStep#attemptsNextCursor]; null for the first page
    public RunStep step(String id, String step, @Nullable Integer limit, @Nullable String cursor) {
        String rest = "/steps/" + Parameters.encoded(step) + Parameters.page(limit, cursor);
        return one(id, rest, RunWire::step);
    }

    private <T> T one(String id, String rest, Function<JsonNode, T> reader) {
        return transport.send(Call.get(path(id, rest)), reader);
    }

    private <T> Page<T> page(
            String id, String rest, Parameters asked, Function<JsonNode, T> reader) {
        return transport.send(Call.get(path(id, rest) + asked), OrchestrationWire.page(reader));
    }

    /// Reads what its steps have written so far, oldest first.
    ///
    /// @return how far it was read: [OutputQuery#after] goes on there
    public long output(String id, OutputQuery query, Consumer<OutputPiece> each) {
        return new OutputReader(transport, path(id, "/stream"), query, each).there();
    }

    /// Reads what its steps write, as they write it, until the run has ended or the time is over.
    ///
    /// @return whether the run has ended, and everything was read
    public boolean followOutput(
            String id, OutputQuery query, Duration within, Consumer<OutputPiece> each) {
        return new OutputReader(transport, path(id, "/stream"), query, each)
                .follow(within, () -> get(id).status().ended());
    }

    /// Adds to the output of a step that the caller has claimed. A handler of a worker has
    /// [RunStepContext#write], which does it.
    ///
    /// @param step the id of the step
    /// @param attempt the id of the attempt, [ClaimedStep#attemptId]
    /// @param leaseToken of the claim; null to speak for whichever lease the step is under
    /// @param channel `stdout` or `stderr`
    /// @param text at most 65536 bytes
    /// @return the bytes that the step may still write
    public long write(
            String step, String attempt, @Nullable UUID leaseToken, String channel, String text) {
        ObjectNode body = Json.object().put("attempt_id", attempt);
        putIfThere(body, "lease_token", leaseToken == null ? null : leaseToken.toString());
        body.put("channel", channel).put("text", text);
        String path = ROOT + "/steps/" + Parameters.encoded(step) + "/output";
        return transport.send(
                keyed(Call.post(path, body)), answer -> Wire.number(answer, "bytes_left"));
    }

    /// Reads the run until it has ended, at intervals that grow while nothing happens.
    ///
    /// @return empty if it has not ended within the time
    public Optional<Run> await(String id, Duration within) {
        return await(id, within, _ -> {});
    }

    /// @param seen receives the run each time that it was read
    public Optional<Run> await(String id, Duration within, Consumer<Run> seen) {
        return Looks.until(
                transport.clock(),
                within,
                () -> {
                    Run run = get(id);
                    seen.accept(run);
                    return run;
                },
                Run::standsAs,
                run -> run.status().ended());
    }

    private static String path(String id, String rest) {
        return RUNS + "/" + Parameters.encoded(id) + rest;
    }

    /// Goes through the pages of a tree.
    private static final class TreeWalk implements Iterator<RunNode> {
        private final Runs runs;
        private final String id;
        private RunTree page;
        private int next;

        TreeWalk(Runs runs, String id) {
            this.runs = runs;
            this.id = id;
            page = runs.tree(id, RunTree.FIRST);
        }

        @Override
        public boolean hasNext() {
            while (next == page.nodes().size()) {
                String cursor = page.nextCursor();
                if (cursor == null) {
                    return false;
                }
                page = runs.tree(id, RunTree.FIRST.after(cursor));
                next = 0;
            }
            return true;
        }

        @Override
        public RunNode next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.nodes().get(next++);
        }
    }
}
