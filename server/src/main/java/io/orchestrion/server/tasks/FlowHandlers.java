package io.orchestrion.server.tasks;

import io.orchestrion.kernel.flow.FlowKey;
import io.orchestrion.kernel.flow.FlowView;
import io.orchestrion.kernel.flow.FlowView.KeyLine;
import io.orchestrion.kernel.flow.FlowView.Settings;
import io.orchestrion.kernel.flow.Flows;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// Shows who waits in a type with limits. A type of which nothing is known has nobody waiting.
public final class FlowHandlers {
    private static final Settings NO_LIMITS = new Settings(null, null, null, false, false, false);
    private static final String CURSOR_VERSION = "1:";

    private final Flows flows;

    public FlowHandlers(Flows flows) {
        this.flows = flows;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(FlowEndpoints.FLOW, this::flow);
    }

    private Answer flow(Call call) {
        String type = call.pathParameter("type");
        if (type.length() > TaskSpecs.TYPE_MAX || !type.matches(TaskSpecs.TYPE_PATTERN)) {
            return TaskAnswers.badRequest(
                    call,
                    "type must be 1 to "
                            + TaskSpecs.TYPE_MAX
                            + " characters and match "
                            + TaskSpecs.TYPE_PATTERN);
        }
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        FlowKey after = cursor == null ? null : read(cursor);
        if (cursor != null && after == null) {
            return TaskAnswers.badRequest(
                    call, "cursor must be the nextCursor of an earlier answer");
        }
        int limit = query.int32("limit");
        FlowView view =
                flows.view(
                        Callers.account(call), TaskSpecs.PROFILE.queue(), type, after, limit + 1);
        return answer(type, view, limit);
    }

    private static Answer answer(String type, FlowView view, int limit) {
        Settings settings = view.settings() == null ? NO_LIMITS : view.settings();
        List<KeyLine> page = view.keys().subList(0, Math.min(limit, view.keys().size()));
        String next = view.keys().size() > limit ? cursor(page.getLast().key()) : null;
        AgentContract contract = AgentContract.of(true, AgentContract.claimNext().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            out.text("type", type);
                            limits(out, settings);
                            out.bool("paused", settings.paused())
                                    .bool("settling", settings.settling())
                                    .objects(
                                            "keys",
                                            page,
                                            (each, line) ->
                                                    write(each, line, settings, view.nowMs()))
                                    .text("nextCursor", next)
                                    .object("agent_contract", contract::write);
                        }));
    }

    private static void limits(JsonWriter out, Settings settings) {
        Integer most = settings.concurrencyMax();
        if (most == null) {
            out.nil("concurrencyLimit");
        } else {
            out.object("concurrencyLimit", limit -> limit.integer("max", most.longValue()));
        }
        Integer starts = settings.rateMax();
        Long period = settings.ratePeriodMs();
        if (starts == null || period == null) {
            out.nil("rateLimit");
        } else {
            out.object(
                    "rateLimit",
                    limit ->
                            limit.integer("max", starts.longValue())
                                    .integer("periodSeconds", period / 1000));
        }
    }

    private static void write(JsonWriter out, KeyLine line, Settings settings, long nowMs) {
        out.text("concurrencyKey", line.key().concurrency())
                .text("rateKey", line.key().rate())
                .integer("waiting", line.waiting())
                .instant("waitingSince", line.sinceMs());
        integer(out, "held", line.held());
        integer(
                out,
                "concurrencyMax",
                line.key().concurrency() == null ? null : settings.concurrencyMax());
        integer(out, "startsInWindow", line.starts());
        integer(out, "rateMax", line.key().rate() == null ? null : settings.rateMax());
        out.text("reason", FlowSpecs.word(line.reason(settings)));
        Long free = line.nextFreeMs(settings, nowMs);
        if (free == null) {
            out.nil("nextFreeAt");
        } else {
            out.instant("nextFreeAt", free.longValue());
        }
    }

    private static void integer(JsonWriter out, String name, @Nullable Integer value) {
        if (value == null) {
            out.nil(name);
        } else {
            out.integer(name, value.longValue());
        }
    }

    private static String cursor(FlowKey last) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((CURSOR_VERSION + last.written()).getBytes(StandardCharsets.UTF_8));
    }

    /// Null when it is none of ours.
    private static @Nullable FlowKey read(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            if (!text.startsWith(CURSOR_VERSION)) {
                return null;
            }
            FlowKey key = FlowKey.read(text.substring(CURSOR_VERSION.length()));
            return cursor(key).equals(cursor) ? key : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
