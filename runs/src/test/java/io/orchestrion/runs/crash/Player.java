package io.orchestrion.runs.crash;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.artifact.Artifact;
import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.runs.artifact.Upload;
import io.orchestrion.runs.artifact.UploadOutcome;
import io.orchestrion.runs.engine.NewRun;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Asked;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.testkit.TestClock;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/// Plays people, workers and time on one node. What another one needs to go on where this one was
/// killed it says as it goes: which act it is at, how far time has moved, what a worker holds.
final class Player {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Requester PERSON = Requester.key(new UUID(1, 1));

    /// Longer than the lease of a driver and of a step.
    private static final Duration LEASES = Duration.ofSeconds(61);

    private static final int TRIES = 5;

    /// What the worker holds: it outlives the server.
    record Held(UUID item, UUID token) {}

    final CrashNode node;
    final UUID account;
    private final TestClock clock;
    private final Consumer<String> said;
    private final Map<String, Held> held = new HashMap<>();

    Player(CrashNode node, UUID account, TestClock clock, Consumer<String> said) {
        this.node = node;
        this.account = account;
        this.clock = clock;
        this.said = said;
    }

    void holds(String tool, Held lease) {
        held.put(tool, lease);
    }

    void forgets(String tool) {
        held.remove(tool);
    }

    /// A step of a story. What was done already is not done again.
    record Act(String name, Done done, Consumer<Player> body) {
        interface Done {
            boolean by(Player player);
        }
    }

    /// @param from the act at which another one was lost
    /// @param lost whether somebody was
    void play(List<Act> acts, int from, boolean lost) {
        boolean recovering = lost;
        for (int i = from; i < acts.size(); i++) {
            Act act = acts.get(i);
            said.accept("act " + i);
            if (recovering && held.isEmpty()) {
                recovering = false;
                takeOver();
            }
            // A worker that got no answer says it again.
            if (!act.done().by(this) || (recovering && !held.isEmpty())) {
                act.body().accept(this);
            }
            if (recovering) {
                recovering = false;
                takeOver();
            }
            Until.isTrue(act.name(), PATIENCE, () -> act.done().by(this));
        }
    }

    /// What the lost node had in hand is given out again.
    private void takeOver() {
        held.clear();
        later(LEASES);
        later(Duration.ofSeconds(1));
        sweep("run-drivers");
    }

    // Time and duties.

    void later(Duration by) {
        clock.advance(by);
        said.accept("ahead " + clock.aheadMillis());
        for (String duty : List.of("lease-reaper", "due-promoter", "run-clocks")) {
            sweep(duty);
        }
    }

    int sweep(String duty) {
        return node.kernel.sweepOnce(duty);
    }

    void drive(String run, String... wanted) {
        Until.isTrue(
                run + " is " + String.join(" or ", wanted),
                PATIENCE,
                () -> {
                    sweep("run-drivers");
                    return List.of(wanted).contains(status(run));
                });
    }

    // People.

    interface Verb {
        io.orchestrion.runs.engine.Ack of(
                CrashNode node, io.orchestrion.kernel.db.Tx tx, Request by) throws SQLException;
    }

    void ask(String run, Verb verb) {
        UUID id = run(run);
        node.runs.inOne(tx -> verb.of(node, tx, new Request(account, id, PERSON, "because")));
    }

    void create(String name, @Nullable String plan, FailureMode mode, @Nullable String policies) {
        var asked =
                new NewRun(
                        account,
                        new Asked(
                                name,
                                "do it",
                                null,
                                plan,
                                plan == null ? PlannerMode.CLAIM : PlannerMode.STATIC,
                                Priority.NORMAL,
                                mode,
                                policies,
                                PERSON.word()),
                        RunsOptions.USUAL_BOUNDS,
                        PERSON);
        node.runs.inOne(tx -> node.runs.create(tx, asked));
    }

    // Workers.

    void complete(String tool, String result) {
        work(
                tool,
                lease ->
                        new Command.Complete(
                                Fence.of(lease.token()),
                                result,
                                null,
                                new Report(
                                        null, "{\"input_tokens\":10,\"output_tokens\":10}", null),
                                digest(result)));
    }

    void fail(String tool, WorkError error) {
        work(
                tool,
                lease ->
                        new Command.Fail(
                                Fence.of(lease.token()),
                                null,
                                null,
                                true,
                                Report.of(error),
                                digest(error.code())));
    }

    /// By which a report is known when it comes again.
    private static UUID digest(String report) {
        return UUID.nameUUIDFromBytes(report.getBytes(StandardCharsets.UTF_8));
    }

    private interface Said {
        Command with(Held lease);
    }

    private void work(String tool, Said how) {
        Held lease = claimed(tool);
        Ack ack =
                node.kernel
                        .work()
                        .command(
                                new CommandRequest(
                                        account,
                                        Profiles.TASKS,
                                        lease.item(),
                                        how.with(lease),
                                        false));
        if (ack instanceof Ack.Refused refused) {
            throw new AssertionError(tool + ": " + refused);
        }
        held.remove(tool);
        said.accept("reported " + tool);
    }

    Held claimed(String tool) {
        Held known = held.get(tool);
        for (int i = 0; known == null && i < TRIES; i++) {
            if (i > 0) {
                later(Duration.ofSeconds(1));
            }
            var items =
                    node.kernel
                            .work()
                            .claim(
                                    new ClaimRequest(account, "tasks", tool, 1, "worker", null),
                                    Duration.ZERO)
                            .items();
            if (!items.isEmpty()) {
                WorkItem item = items.getFirst().item();
                known = new Held(item.id(), item.lease().token());
                held.put(tool, known);
                said.accept("held " + tool + " " + known.item() + " " + known.token());
            }
        }
        if (known == null) {
            throw new AssertionError("there is no item of " + tool);
        }
        return known;
    }

    void write(String step, String tool) {
        Held lease = claimed(tool);
        var writer = new Outputs.Writer(account, id("run_step", step), lease.item(), lease.token());
        node.runs.inOne(tx -> node.outputs.append(tx, writer, "stdout", "x"));
    }

    // Artifacts.

    void upload(String run, String name, int bytes, @Nullable String sha256) {
        UploadOutcome outcome = uploaded(run, name, bytes, sha256);
        if (outcome instanceof UploadOutcome.NameTaken) {
            later(ArtifactOptions.DEFAULT.lease().plusSeconds(1));
            sweep("artifact-sweeper");
            uploaded(run, name, bytes, sha256);
        }
    }

    private UploadOutcome uploaded(String run, String name, int bytes, @Nullable String sha256) {
        var of = new Artifact.Of(run(run), name, "text/plain", null);
        try {
            return node.artifacts.upload(
                    account,
                    new Upload(of, null, sha256),
                    new ByteArrayInputStream(new byte[bytes]),
                    work -> node.kernel.database().retried(work::in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int objects() {
        try {
            return node.store.list(null, 1_000).found().size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // What there is.

    UUID run(String name) {
        return UUID.fromString(
                text("select id from run where account_id = ? and name = ?", account, name));
    }

    String status(String run) {
        return text("select status from run where account_id = ? and name = ?", account, run);
    }

    boolean is(String run, String... statuses) {
        return List.of(statuses).contains(status(run));
    }

    /// Of the newest row with that name.
    UUID id(String table, String name) {
        return UUID.fromString(
                text(
                        "select id from "
                                + table
                                + " where account_id = ? and name = ? order by id desc limit 1",
                        account,
                        name));
    }

    /// How many steps of that name have a status.
    boolean has(int steps, String name, String status) {
        return text(
                        "select count(*) from run_step where account_id = ? and tool = ? and status"
                                + " = ?",
                        account,
                        name,
                        status)
                .equals(String.valueOf(steps));
    }

    /// Empty where there is nothing.
    String text(String sql, Object... parameters) {
        List<String> all = texts(sql, parameters);
        return all.isEmpty() ? "" : all.getFirst();
    }

    List<String> texts(String sql, Object... parameters) {
        try (PreparedStatement statement = node.looks().prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            var all = new ArrayList<String>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    all.add(rows.getString(1));
                }
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
