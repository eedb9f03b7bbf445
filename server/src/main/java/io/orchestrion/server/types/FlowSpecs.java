package io.orchestrion.server.types;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.flow.FlowView;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The answer about a type's keys.
final class FlowSpecs {
    private FlowSpecs() {}

    static final int LIST_MAX = 200;
    static final int LIST_DEFAULT = 100;

    /// Two keys of four bytes a character, in base64.
    static final int CURSOR_MAX = 2200;

    private static final List<String> REASONS =
            Arrays.stream(FlowView.Reason.values()).map(FlowSpecs::word).toList();

    static String word(FlowView.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    private static final ObjectSpec CONCURRENCY =
            ObjectSpec.answer("FlowConcurrencyLimit")
                    .required(integer("max").range(1, Integer.MAX_VALUE));

    private static final ObjectSpec RATE =
            ObjectSpec.answer("FlowRateLimit")
                    .required(integer("max").range(1, Integer.MAX_VALUE))
                    .required(integer("periodSeconds").range(1, Integer.MAX_VALUE));

    static final ObjectSpec KEY =
            ObjectSpec.answer("FlowKey")
                    .required(text("concurrencyKey").nullable())
                    .required(text("rateKey").nullable())
                    .required(
                            integer("waiting")
                                    .range(0, FlowView.COUNTED_AT_MOST)
                                    .doc(
                                            "Tasks that only a limit holds back; counted up to "
                                                    + FlowView.COUNTED_AT_MOST
                                                    + "."))
                    .required(
                            instant("waitingSince")
                                    .doc("Since when the longest-waiting of these tasks waits."))
                    .required(
                            integer("held")
                                    .range(0, FlowView.COUNTED_AT_MOST)
                                    .nullable()
                                    .doc("Slots of the concurrencyKey in use."))
                    .required(integer("concurrencyMax").range(1, Integer.MAX_VALUE).nullable())
                    .required(
                            integer("startsInWindow")
                                    .range(0, Integer.MAX_VALUE)
                                    .nullable()
                                    .doc("Starts of the rateKey within the current period."))
                    .required(integer("rateMax").range(1, Integer.MAX_VALUE).nullable())
                    .required(
                            oneOf("reason", REASONS)
                                    .doc(
                                            "What the tasks wait for. none means that one may be"
                                                    + " claimed now."))
                    .required(
                            instant("nextFreeAt")
                                    .nullable()
                                    .doc(
                                            "When one may be claimed. For a slot, this assumes that"
                                                    + " no lease is renewed or ended before."));

    static final ObjectSpec FLOW_ANSWER =
            ObjectSpec.answer("TypeFlow")
                    .required(text("type"))
                    .required(object("concurrencyLimit", CONCURRENCY).nullable())
                    .required(object("rateLimit", RATE).nullable())
                    .required(bool("paused"))
                    .required(
                            bool("settling")
                                    .doc(
                                            "A limit was switched on or off a moment ago. No task"
                                                + " is handed out until all tasks of the type are"
                                                + " sorted by it."))
                    .required(objects("keys", KEY))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
