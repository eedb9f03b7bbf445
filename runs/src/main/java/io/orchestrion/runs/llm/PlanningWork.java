package io.orchestrion.runs.llm;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Works on planning steps: asks the model, checks what it answers as every plan is checked, and
/// tells it what is wrong while it has repairs left. It may do no more than any other worker.
final class PlanningWork implements Handler {
    /// Some models cannot leave it out.
    private static final Pattern FENCED =
            Pattern.compile("\\s*```[a-z]*\\s*(\\{.*\\})\\s*```\\s*", Pattern.DOTALL);

    /// So much earlier than the attempt is ended, so that what has happened is told.
    private static final Duration MARGIN = Duration.ofMillis(500);

    private static final int SHOWN_FINDINGS = 3;

    /// Characters of an answer that is sent back to be corrected.
    private static final int REPAIRED_MAX = 200_000;

    private final ChatClient client;
    private final LlmOptions options;
    private final PlanReader reader;
    private final PlanLimits limits;
    private final NanoTicker ticker;

    PlanningWork(
            ChatClient client,
            LlmOptions options,
            PlanReader reader,
            PlanLimits limits,
            NanoTicker ticker) {
        this.client = client;
        this.options = options;
        this.reader = reader;
        this.limits = limits;
        this.ticker = ticker;
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        WorkItem item = charge.item();
        return plan(item.accountId(), charge.payload(), left(item), charge.traceparent());
    }

    /// @param most time for all of it
    Outcome plan(UUID account, String payload, Duration most, @Nullable String traceparent)
            throws InterruptedException {
        long endNanos = ticker.nanos() + most.toNanos();
        PlanningInput input = PlanningInput.of(payload);
        ChatRequest request = PlanPrompts.request(input, input.limits(limits));
        TokenUsage used = TokenUsage.NONE;
        for (int repairs = 0; ; repairs++) {
            Duration left = Duration.ofNanos(Math.max(1_000_000, endNanos - ticker.nanos()));
            ChatReply reply =
                    client.ask(account, request, options.times().within(left), traceparent);
            switch (reply) {
                case ChatReply.Failed(var error, var usage) -> {
                    return failed(error, usage == null ? used : used.plus(usage));
                }
                case ChatReply.Answered(var text, var usage) -> {
                    used = used.plus(usage);
                    String answer = bare(text);
                    List<Finding> findings = findings(account, answer, input);
                    if (findings.isEmpty()) {
                        return new Outcome.Completed(
                                answer, new Report(null, used.json(options.model()), null));
                    }
                    if (repairs == options.repairs() || text.length() > REPAIRED_MAX) {
                        return failed(ChatErrors.invalidOutput(said(findings)), used);
                    }
                    request = PlanPrompts.again(request, text, findings);
                }
            }
        }
    }

    /// How long the attempt may go on; the times of the options where nothing ends it.
    private Duration left(WorkItem item) {
        Long deadline = item.lease().deadlineMs();
        Long claimed = item.times().claimedMs();
        if (deadline == null || claimed == null) {
            return options.times().whole().multipliedBy(options.repairs() + 1L);
        }
        return Duration.ofMillis(deadline - claimed).minus(MARGIN);
    }

    private static String bare(String text) {
        Matcher fenced = FENCED.matcher(text);
        return fenced.matches() ? fenced.group(1) : text.strip();
    }

    private List<Finding> findings(UUID account, String answer, PlanningInput input) {
        PlanLimits most = input.limits(limits);
        return input.ofRun()
                ? reader.read(account, answer, most).findings()
                : reader.readTasks(account, answer, most, input.earlier()).findings();
    }

    private static String said(List<Finding> findings) {
        var said = new StringBuilder("The model gave no valid plan.");
        for (Finding each : findings.subList(0, Math.min(SHOWN_FINDINGS, findings.size()))) {
            said.append(' ').append(each.pointer()).append(": ").append(each.message());
        }
        return said.toString();
    }

    private Outcome failed(WorkError error, TokenUsage used) {
        @Nullable String usage = used.equals(TokenUsage.NONE) ? null : used.json(options.model());
        return new Outcome.Failed(new Report(error, usage, null), false, null);
    }
}
