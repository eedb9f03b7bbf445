package io.orchestrion.runs.crash;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.runs.crash.Player.Act;
import io.orchestrion.runs.objects.ObjectKey;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.ticket.Ticket;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/// What runs go through, act by act. Together the stories commit all that the engine can commit.
enum Stories {
    /// Planned by a worker, paused, taken over, planned anew, completed.
    REPLANNED {
        @Override
        void tell(Story story) {
            story.started("r", null, FailureMode.CONTINUE, null);
            story.act(
                    "the plan is there",
                    p -> p.has(1, "run_plan", "completed"),
                    p -> p.complete("run_plan", plan(agent("one", "x", ""))));
            story.act(
                    "paused",
                    p -> p.is("r", "paused"),
                    p -> p.ask("r", (n, tx, by) -> n.runs.pause(tx, by)));
            story.act(
                    "resumed",
                    p -> p.is("r", "resuming", "running"),
                    p -> p.ask("r", (n, tx, by) -> n.runs.resume(tx, by)));
            story.act("goes on", p -> p.is("r", "running"), p -> p.drive("r", "running"));
            story.act("a while passes", p -> !isFresh(p, BEAT), p -> p.later(BEAT.plusSeconds(1)));
            story.act(
                    "beats",
                    p -> isFresh(p, BEAT),
                    p -> {
                        p.drive("r", "running");
                        p.sweep("run-heartbeats");
                    });
            story.act(
                    "the driver's lease ends",
                    p -> !isFresh(p, LEASE),
                    p -> p.later(LEASE.plusSeconds(1)));
            story.act("taken over", p -> isFresh(p, LEASE), p -> p.drive("r", "running"));
            story.act(
                    "planned anew",
                    p -> p.has(1, "x", "failed") || p.has(1, "x", "skipped"),
                    p -> p.fail("x", WorkError.of("ValueError", "no")));
            story.act(
                    "another plan is there",
                    p -> p.has(2, "run_plan", "completed"),
                    p -> p.complete("run_plan", plan(agent("two", "n", ""))));
            story.act(
                    "written",
                    p ->
                            !p.text("select 1 from run_output where account_id = ?", p.account)
                                    .isEmpty(),
                    p -> p.write("n", "n"));
            story.done("r", "n");
        }
    },

    /// Failed, and retried by somebody.
    RETRIED {
        @Override
        void tell(Story story) {
            story.started("r", plan(agent("one", "a", "")), FailureMode.FAIL_FAST, null);
            story.act(
                    "failed",
                    p -> p.has(1, "a", "failed"),
                    p -> p.fail("a", WorkError.of("ValueError", "no")));
            story.act(
                    "retried",
                    p -> !p.is("r", "failed"),
                    p -> p.ask("r", (n, tx, by) -> n.runs.retry(tx, by)));
            story.act("the next attempt", p -> p.is("r", "running"), p -> p.drive("r", "running"));
            story.done("r", "a");
        }
    },

    /// Failed, and retried by itself.
    AGAIN {
        @Override
        void tell(Story story) {
            story.started(
                    "r", plan(agent("one", "a", ",\"max_attempts\":1")), FailureMode.RETRY, null);
            story.act(
                    "failed",
                    p -> p.has(1, "a", "failed"),
                    p -> p.fail("a", WorkError.of("ConnectionError", "no")));
            story.act(
                    "the next attempt",
                    p -> p.is("r", "running") && p.has(1, "a", "pending"),
                    p -> {
                        p.later(Duration.ofSeconds(1));
                        p.drive("r", "running");
                    });
            story.act("all of it is done", p -> p.is("r", "completed"), p -> p.complete("a", "{}"));
        }
    },

    /// People are asked whether, and called because.
    ASKED {
        @Override
        void tell(Story story) {
            story.started(
                    "r",
                    plan(agent("one", "a", ""), agent("two", "b", "")),
                    FailureMode.CONTINUE,
                    "{\"a\":\"confirm\",\"b\":\"confirm\"}");
            story.act("approved", p -> !isAsked(p, "a"), p -> decide(p, "a", true));
            story.act("rejected", p -> !isAsked(p, "b"), p -> decide(p, "b", false));
            story.act(
                    "people are called",
                    p -> !ticket(p).isEmpty(),
                    p -> p.fail("a", new WorkError("HTTPError", 429, "slow down", 31, null)));
            story.act(
                    "people have heard",
                    p -> notice(p).equals("sent"),
                    p -> {
                        p.sweep("run-on-call");
                    });
            story.act(
                    "people have answered",
                    p -> !p.is("r", "paused"),
                    p ->
                            p.ask(
                                    "r",
                                    (n, tx, by) ->
                                            n.runs.resolveTicket(
                                                    tx,
                                                    UUID.fromString(ticket(p)),
                                                    by,
                                                    Ticket.Resolution.RESUME,
                                                    "go on")));
            story.act("goes on", p -> p.is("r", "running"), p -> p.drive("r", "running"));
            story.act(
                    "time has passed",
                    p -> p.has(1, "a", "running") || p.has(1, "a", "pending"),
                    p -> {});
            story.act(
                    "the last step",
                    p -> p.is("r", "completed"),
                    p -> {
                        p.later(Duration.ofSeconds(32));
                        p.complete("a", "{}");
                    });
        }
    },

    /// Parts are cancelled, and a person plans.
    CUT {
        @Override
        void tell(Story story) {
            story.started("r", null, FailureMode.CONTINUE, null);
            story.act(
                    "planned by hand",
                    p -> p.has(1, "run_plan", "completed"),
                    p ->
                            p.ask(
                                    "r",
                                    (n, tx, by) ->
                                            n.runs.planByHand(
                                                    tx,
                                                    by,
                                                    plan(
                                                            agent("one", "a", ""),
                                                            agent("two", "b", ""),
                                                            agent("three", "c", "")))));
            story.act(
                    "a task is cancelled",
                    p -> p.has(1, "a", "cancelled"),
                    p -> {
                        UUID task = p.id("run_task", "of a");
                        p.ask("r", (n, tx, by) -> n.runs.cancelTask(tx, by, task));
                    });
            story.act(
                    "an agent is cancelled",
                    p -> p.has(1, "b", "cancelled"),
                    p -> {
                        UUID agent =
                                UUID.fromString(
                                        p.text(
                                                "select id from run_agent where account_id = ? and"
                                                        + " subtask = 'two'",
                                                p.account));
                        p.ask("r", (n, tx, by) -> n.runs.cancelAgent(tx, by, agent));
                    });
            story.act("the rest", p -> p.has(1, "c", "completed"), p -> p.complete("c", "{}"));
        }
    },

    /// All other ways to end.
    ENDED {
        @Override
        void tell(Story story) {
            String plan = plan(agent("one", "a", ""));
            story.started("cancelled", plan, FailureMode.FAIL_FAST, null);
            story.act(
                    "cancelled",
                    p -> p.is("cancelled", "cancelled"),
                    p -> p.ask("cancelled", (n, tx, by) -> n.runs.cancel(tx, by)));
            story.created("deleted", plan, FailureMode.FAIL_FAST, null);
            story.act(
                    "deleted",
                    p ->
                            p.text(
                                            "select 1 from run where account_id = ? and name ="
                                                    + " 'deleted' and deleted_ms is null",
                                            p.account)
                                    .isEmpty(),
                    p -> p.ask("deleted", (n, tx, by) -> n.runs.delete(tx, by)));
            story.started("forced", plan, FailureMode.FAIL_FAST, null);
            story.act(
                    "forced",
                    p -> p.is("forced", "failed"),
                    p -> p.ask("forced", (n, tx, by) -> n.runs.forceFail(tx, by)));
            story.started("lost", plan, FailureMode.FAIL_FAST, null);
            story.act(
                    "lost",
                    p -> p.is("lost", "failed"),
                    p -> {
                        p.later(Duration.ofSeconds(61));
                        p.sweep("run-heartbeat-monitor");
                    });
            story.created("late", plan, FailureMode.FAIL_FAST, null);
            story.act(
                    "started and never driven",
                    p -> !p.is("late", "created"),
                    p -> p.ask("late", (n, tx, by) -> n.runs.start(tx, by)));
            story.act(
                    "late",
                    p -> p.is("late", "failed"),
                    p -> p.later(Duration.ofHours(24).plusSeconds(1)));
        }
    },

    /// What a run makes, keeps for a while, and leaves to nobody.
    KEPT {
        @Override
        void tell(Story story) {
            story.started("r", plan(agent("one", "a", "")), FailureMode.FAIL_FAST, null);
            story.act(
                    "uploaded",
                    p -> artifacts(p, "large", "ready") == 1,
                    p -> p.upload("r", "large", LARGE, null));
            story.act(
                    "refused",
                    p -> artifacts(p, "other", "deleted") >= 1,
                    p -> p.upload("r", "other", 10, "0".repeat(64)));
            story.act(
                    "what was refused is gone",
                    p -> p.objects() == 1,
                    p -> p.sweep("artifact-sweeper"));
            story.done("r", "a");
            story.act(
                    "nobody's objects are there",
                    p -> p.objects() == 3,
                    p -> {
                        orphan(p, 1);
                        orphan(p, 2);
                    });
            story.act(
                    "nobody's objects are gone",
                    p -> p.objects() == 1,
                    p -> p.sweep("artifact-orphans"));
            story.act(
                    "expired",
                    p -> expired(p, "large") == 1 && p.objects() == 0,
                    p -> {
                        p.later(ArtifactOptions.KEPT.plusSeconds(1));
                        p.sweep("artifact-sweeper");
                    });
            story.act(
                    "purged",
                    p -> p.text("select 1 from run where account_id = ?", p.account).isEmpty(),
                    p -> {
                        p.later(CrashNode.KEPT);
                        p.sweep("artifact-sweeper");
                        p.sweep("run-purger");
                    });
        }
    };

    /// More than an upload of unknown length gets set aside at once.
    private static final int LARGE = 17 * 1024 * 1024;

    private static final Duration BEAT = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(30);

    abstract void tell(Story story);

    List<Act> acts() {
        var story = new Story();
        tell(story);
        return List.copyOf(story.acts);
    }

    /// The acts as they are told.
    static final class Story {
        private final List<Act> acts = new ArrayList<>();

        void act(String name, Act.Done done, Consumer<Player> body) {
            acts.add(new Act(name, done, body));
        }

        void created(
                String run, @Nullable String plan, FailureMode mode, @Nullable String policies) {
            act(
                    run + " is created",
                    p -> !p.status(run).isEmpty(),
                    p -> p.create(run, plan, mode, policies));
        }

        void started(
                String run, @Nullable String plan, FailureMode mode, @Nullable String policies) {
            created(run, plan, mode, policies);
            act(
                    run + " is started",
                    p -> !p.is(run, "created"),
                    p -> p.ask(run, (n, tx, by) -> n.runs.start(tx, by)));
            act(run + " runs", p -> p.is(run, "running"), p -> p.drive(run, "running"));
        }

        void done(String run, String tool) {
            act("all of it is done", p -> p.is(run, "completed"), p -> p.complete(tool, "{}"));
        }
    }

    private static String plan(String... agents) {
        return "{\"agents\":[" + String.join(",", agents) + "]}";
    }

    /// One with a task of one step.
    private static String agent(String subtask, String tool, String ofStep) {
        return """
        {"subtask":"%s","tasks":[{"name":"of %s","steps":[{"name":"%s","tool":"%s"%s}]}]}\
        """
                .formatted(subtask, tool, tool, tool, ofStep);
    }

    private static boolean isFresh(Player player, Duration within) {
        return Long.parseLong(
                        player.text(
                                "select last_heartbeat_ms from run where account_id = ?",
                                player.account))
                >= player.node.kernel.database().transaction(tx -> tx.nowMillis())
                        - within.toMillis();
    }

    private static boolean isAsked(Player player, String tool) {
        return !approval(player, tool).isEmpty();
    }

    private static String approval(Player player, String tool) {
        return player.text(
                "select id from run_approval where account_id = ? and tool = ? and status ="
                        + " 'pending'",
                player.account,
                tool);
    }

    private static void decide(Player player, String tool, boolean yes) {
        UUID approval = UUID.fromString(approval(player, tool));
        player.ask("r", (n, tx, by) -> n.runs.decideApproval(tx, approval, by, yes, "hm"));
    }

    private static String ticket(Player player) {
        return player.text("select id from run_ticket where account_id = ?", player.account);
    }

    private static String notice(Player player) {
        return player.text(
                "select status from run_ticket_notice where account_id = ?", player.account);
    }

    private static int artifacts(Player player, String name, String state) {
        return Integer.parseInt(
                player.text(
                        "select count(*) from run_artifact where account_id = ? and name = ? and"
                                + " state = ?",
                        player.account,
                        name,
                        state));
    }

    /// Without what never became an artifact.
    private static int expired(Player player, String name) {
        return Integer.parseInt(
                player.text(
                        "select count(*) from run_artifact where account_id = ? and name = ? and"
                                + " state = 'deleted' and not discarded",
                        player.account,
                        name));
    }

    /// As one that a writer finished which was long taken for dead.
    private static void orphan(Player player, int number) {
        String ours =
                player.text(
                        "select object_key from run_artifact where account_id = ?", player.account);
        try {
            player.node.store.put(
                    new ObjectKey(
                            ours.substring(0, ours.lastIndexOf('/') + 1) + new UUID(7, number)),
                    new ByteArrayInputStream(new byte[10]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
