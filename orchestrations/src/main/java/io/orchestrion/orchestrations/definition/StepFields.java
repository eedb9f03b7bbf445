package io.orchestrion.orchestrations.definition;

import static io.orchestrion.orchestrations.definition.StepType.DECISION;
import static io.orchestrion.orchestrations.definition.StepType.EXTERNAL_CALL;
import static io.orchestrion.orchestrations.definition.StepType.HUMAN_APPROVAL;
import static io.orchestrion.orchestrations.definition.StepType.NOTIFY;
import static io.orchestrion.orchestrations.definition.StepType.TASK;
import static io.orchestrion.orchestrations.definition.StepType.WAIT;

import io.orchestrion.kernel.document.Fields;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which fields steps of each type have.
final class StepFields {
    private static final Set<StepType> ALL = EnumSet.allOf(StepType.class);

    /// For each field the types that have it.
    static final Map<String, Set<StepType>> TYPES = types();

    private StepFields() {}

    private static Map<String, Set<StepType>> types() {
        var types = new TreeMap<String, Set<StepType>>();
        for (String common :
                Set.of(
                        "step_id",
                        "name",
                        "type",
                        "timeout_ms",
                        "retry_policy",
                        "idempotency_strategy",
                        "guard_handler",
                        "compensation_handler",
                        "compensation_policy",
                        "on_failure",
                        "on_timeout")) {
            types.put(common, ALL);
        }
        types.put("on_success", EnumSet.complementOf(EnumSet.of(DECISION)));
        types.put("handler", EnumSet.of(TASK, EXTERNAL_CALL, NOTIFY));
        types.put("input", EnumSet.of(TASK, EXTERNAL_CALL, NOTIFY, HUMAN_APPROVAL));
        types.put("lease_seconds", EnumSet.of(TASK));
        types.put("priority", EnumSet.of(TASK));
        types.put("result_schema", EnumSet.of(TASK));
        types.put("branches", EnumSet.of(DECISION));
        types.put("default", EnumSet.of(DECISION));
        types.put("duration_ms", EnumSet.of(WAIT));
        types.put("until", EnumSet.of(WAIT));
        types.put("request", EnumSet.of(EXTERNAL_CALL, NOTIFY));
        types.put("channel", EnumSet.of(NOTIFY));
        types.put("assignee_group", EnumSet.of(HUMAN_APPROVAL));
        types.put("title", EnumSet.of(HUMAN_APPROVAL));
        types.put("note", EnumSet.of(HUMAN_APPROVAL));
        return types;
    }

    /// @param type null where it is not known
    static void check(Fields fields, @Nullable StepType type) {
        for (String name : fields.names()) {
            Set<StepType> having = TYPES.get(name);
            if (having == null) {
                fields.unknown(name, of(type));
            } else if (type != null && !having.contains(type)) {
                fields.findings()
                        .add(
                                DefinitionCode.FIELD_OF_OTHER_TYPE,
                                fields.at(name),
                                "A step of the type " + type.word() + " has no field " + name + ".",
                                "Remove it; " + words(having) + " steps have it.");
            }
        }
    }

    private static Set<String> of(@Nullable StepType type) {
        var names = new TreeSet<String>();
        TYPES.forEach(
                (name, having) -> {
                    if (type == null || having.contains(type)) {
                        names.add(name);
                    }
                });
        return names;
    }

    private static String words(Set<StepType> types) {
        return String.join(
                ", ",
                Arrays.stream(StepType.values())
                        .filter(types::contains)
                        .map(StepType::word)
                        .toList());
    }
}
