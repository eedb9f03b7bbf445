package io.orchestrion.orchestrations.model;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.work.ClaimKey;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.Approvals;
import io.orchestrion.orchestrations.execution.Created;
import io.orchestrion.orchestrations.execution.DeadLetters;
import io.orchestrion.orchestrations.execution.Definitions;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.orchestrations.execution.ExecutionVerbs;
import io.orchestrion.orchestrations.execution.NewExecution;
import io.orchestrion.orchestrations.execution.Person;
import io.orchestrion.orchestrations.model.Nodes.Node;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One execution from its definition to its end, as acts that each may be done twice: whoever got
/// no answer asks again.
final class Story {
    private static final Pattern TIME = Pattern.compile("\\b1[0-9]{12}\\b");
    private static final String RETRY =
            """
            "retry_policy":{"max_attempts":3,"backoff_strategy":"fixed","initial_delay_ms":0,\
            "max_delay_ms":0,"timeout_ms":60000,"retry_on_classes":["TRANSIENT"]}\
            """;
    private static final String DOCUMENT =
            "{\"name\":\"story\",\"input_schema\":true,\"policies\":{\"timeouts\":"
                    + "{\"execution_ms\":86400000}},\"steps\":["
                    + String.join(
                            ",",
                            step("s0", "task", "SAFE_TO_RETRY", "\"handler\":\"task:w0\"", "s1"),
                            step(
                                    "s1",
                                    "external_call",
                                    "SAFE_TO_RETRY",
                                    "\"handler\":\"http:https://step.test/s1\"",
                                    "s2"),
                            step(
                                    "s2",
                                    "notify",
                                    "SAFE_TO_RETRY",
                                    "\"handler\":\"http:https://step.test/s2\"",
                                    "s3"),
                            step("s3", "wait", "SAFE_TO_RETRY", "\"duration_ms\":30000", "s4"),
                            step(
                                    "s4",
                                    "human_approval",
                                    "SAFE_TO_RETRY",
                                    "\"on_timeout\":\"s5\"",
                                    "s5"),
                            step(
                                    "s5",
                                    "task",
                                    "NOT_SAFE_TO_RETRY",
                                    "\"handler\":\"task:w1\",\"compensation_handler\":\"task:undo\"",
                                    "terminal"))
                    + "]}";

    private static String step(String id, String type, String safe, String more, String next) {
        return """
        {"step_id":"%s","name":"%s","type":"%s","timeout_ms":3600000,"idempotency_strategy":"%s",\
        %s,%s,"on_success":"%s"}\
        """
                .formatted(id, id, type, safe, RETRY, more, next);
    }

    /// @param places where its transactions may break: the names of lanes
    /// @param loses whether what breaks is an attempt that somebody else has to make again, which
    ///     then shows in the history
    record Act(String name, List<String> places, boolean loses, Consumer<Node> body) {}

    private final Nodes nodes;
    private final Person person = new Person(new UUID(1, 1), "one");
    private final UUID account;
    private final long began;
    private final Map<String, WorkItem> held = new HashMap<>();
    private UUID definition;
    private UUID execution;

    /// How often each key came, whatever became of the answer.
    final Map<String, Integer> arrived = new ConcurrentHashMap<>();

    Story(Nodes nodes) {
        this.nodes = nodes;
        account = nodes.test().account();
        began = nodes.now();
        nodes.service = this::answer;
    }

    private CallOutcome answer(Call call) {
        arrived.merge(call.headers().get("Idempotency-Key"), 1, Integer::sum);
        return new CallOutcome.Answered(
                200,
                Map.of("Content-Type", List.of("application/json")),
                "{}".getBytes(StandardCharsets.UTF_8));
    }

    private static Act act(String name, Consumer<Node> body) {
        return new Act(name, List.of("pool"), false, body);
    }

    static List<Act> toTheApproval(Story story) {
        return List.of(
                act("write", story::write),
                act("publish", story::publish),
                new Act("create", List.of("execution-create-keyed"), false, story::create),
                story.claim("w0"),
                act("pause", node -> story.engine(node).pause(story.request())),
                story.complete("w0"),
                act("resume", node -> story.engine(node).resume(story.request())),
                new Act("call and notice", List.of("claim", "settle", "pool"), true, story::calls),
                story.sweep("the wait ends", 30));
    }

    static List<Act> approved(Story story) {
        var acts = new ArrayList<>(toTheApproval(story));
        acts.add(act("approve", node -> story.decide(node, true)));
        acts.add(story.claim("w1"));
        acts.add(story.complete("w1"));
        return acts;
    }

    static List<Act> compensated(Story story) {
        var acts = new ArrayList<>(toTheApproval(story));
        acts.add(story.sweep("the approval expires", 3600));
        acts.add(story.claim("w1"));
        acts.add(story.fail("w1"));
        acts.add(act("approve the compensation", node -> story.decide(node, true)));
        acts.add(story.claim("undo"));
        acts.add(story.complete("undo"));
        acts.add(act("retry", node -> story.engine(node).retry(story.request(), null, true)));
        acts.add(story.claim("w1"));
        acts.add(story.fail("w1"));
        acts.add(act("refuse the compensation", node -> story.decide(node, false)));
        acts.add(act("compensate", story::compensate));
        acts.add(story.claim("undo"));
        acts.add(story.complete("undo"));
        acts.add(act("reprocess", story::reprocess));
        acts.add(story.claim("w1"));
        acts.add(act("cancel", node -> story.engine(node).cancel(story.request())));
        acts.add(act("mark", story::mark));
        return acts;
    }

    static List<Act> refused(Story story) {
        var acts = new ArrayList<>(toTheApproval(story));
        acts.add(act("reject", node -> story.decide(node, false)));
        acts.add(act("resolve", story::resolve));
        acts.add(act("close", node -> node.engine().deadLetters().closeExecution(story.request())));
        return acts;
    }

    private ExecutionVerbs engine(Node node) {
        return node.engine().executions();
    }

    private ExecutionVerbs.Request request() {
        return new ExecutionVerbs.Request(account, execution, person, "because");
    }

    private void write(Node node) {
        var made =
                (Definitions.Changed.Done)
                        node.engine().definitions().create(account, person, DOCUMENT);
        definition = made.version().id();
    }

    private void publish(Node node) {
        node.engine().definitions().publish(account, person, definition, 1);
    }

    private void create(Node node) {
        var asked =
                new NewExecution(
                        account,
                        definition,
                        null,
                        new Target("thing", "1"),
                        "1",
                        "key",
                        null,
                        null,
                        new UUID(3, 3));
        execution = ((Created.Made) node.engine().create(asked)).execution().id();
    }

    private Act claim(String type) {
        var key = new ClaimKey(UUID.randomUUID(), new UUID(4, 4));
        return new Act(
                "claim " + type,
                List.of("claim"),
                false,
                node ->
                        node.kernel()
                                .work()
                                .claim(
                                        new ClaimRequest(
                                                account, "tasks", type, 1, "worker", null, key),
                                        Duration.ZERO)
                                .items()
                                .forEach(view -> held.put(type, view.item())));
    }

    private Act complete(String type) {
        return new Act(
                "complete " + type,
                List.of("settle"),
                false,
                node ->
                        say(
                                node,
                                type,
                                new Command.Complete(fence(type), "1", null, new UUID(5, 5))));
    }

    private Act fail(String type) {
        var error = new WorkError("broken", null, "half of it is done", null, true);
        return new Act(
                "fail " + type,
                List.of("settle"),
                false,
                node ->
                        say(
                                node,
                                type,
                                new Command.Fail(
                                        fence(type),
                                        null,
                                        null,
                                        true,
                                        Report.of(error),
                                        new UUID(6, 6))));
    }

    private Fence fence(String type) {
        return Fence.of(held.get(type).lease().token());
    }

    private void say(Node node, String type, Command command) {
        node.kernel()
                .work()
                .command(
                        new CommandRequest(
                                account, Profiles.TASKS, held.get(type).id(), command, false));
    }

    /// What somebody began who is gone is free again when its lease is over.
    private void calls(Node node) {
        nodes.makeCalls(node);
        nodes.advance(61_000);
        node.kernel().sweepOnce("lease-reaper");
        nodes.makeCalls(node);
    }

    private Act sweep(String name, int seconds) {
        long[] due = {0};
        return act(
                name,
                node -> {
                    if (due[0] == 0) {
                        due[0] = nodes.now() + seconds * 1000L;
                    }
                    nodes.advance(Math.max(0, due[0] - nodes.now()));
                    node.kernel().sweepOnce("due-promoter");
                });
    }

    private void decide(Node node, boolean approve) {
        var newest = read().newestAsk(execution);
        node.engine()
                .approvals()
                .decide(newest, new Approvals.Said(account, person, approve, "note"));
    }

    private DeadLetters.Request letter() {
        return new DeadLetters.Request(account, read().newestLetter(execution), person, "note");
    }

    private void compensate(Node node) {
        node.engine().deadLetters().compensate(letter());
    }

    private void reprocess(Node node) {
        node.engine().deadLetters().reprocess(letter(), true);
    }

    private void mark(Node node) {
        node.engine().deadLetters().markCompensated(letter());
    }

    private void resolve(Node node) {
        node.engine().deadLetters().resolve(letter());
    }

    private Stored read() {
        return new Stored(nodes.test().database(), account, nodes.now());
    }

    /// How it ended and what its calls gave, without the attempts and the time that it took.
    String endedAs() {
        var steps = new ArrayList<String>();
        for (var row :
                nodes.test()
                        .database()
                        .rows(
                                "select step_id, case when step_id in ('s1', 's2') then result end"
                                        + " as result from orchestration_step"
                                        + " where account_id = ? and status = 'succeeded'"
                                        + " order by step_id",
                                account)) {
            steps.add(row.toString());
        }
        String head = read().text(execution).lines().findFirst().orElseThrow();
        return head.replaceAll("active=\\d+", "") + steps;
    }

    /// The states of what is recorded of notices.
    List<@Nullable Object> notices() {
        return nodes
                .test()
                .database()
                .rows("select state from orchestration_notification where account_id = ?", account)
                .stream()
                .map(row -> row.get("state"))
                .toList();
    }

    String noticeKey() {
        return Keys.of(account, execution, "s2", false, 0);
    }

    /// All that is stored, and told of it, with times from the beginning of the story.
    String text() {
        Matcher times = TIME.matcher(read().text(execution));
        String text = times.replaceAll(time -> "+" + (Long.parseLong(time.group()) - began));
        var told = new ArrayList<String>();
        for (var row :
                nodes.test()
                        .database()
                        .rows(
                                "select kind, event, count(*) as n from subject_event where"
                                        + " account_id = ? group by kind, event order by 1, 2",
                                account)) {
            told.add(row.toString());
        }
        for (var row :
                nodes.test()
                        .database()
                        .rows(
                                "select action, count(*) as n from audit where account_id = ?"
                                        + " group by action order by action",
                                account)) {
            told.add(row.toString());
        }
        return text + "\n" + String.join("\n", told);
    }
}
