package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ListField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.Terms.OnConflict;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What a task may say about others: those it waits for, and those beside which it is not wanted.
public final class TermsSpecs {
    private TermsSpecs() {}

    public static final int PARENTS_MAX = 100;
    public static final int UNIQUE_KEY_MAX = 200;
    public static final Duration PERIOD_MAX = Duration.ofDays(365);
    public static final List<String> UNIQUE_STATES =
            List.of(TaskStatus.PENDING.word(), TaskStatus.CLAIMED.word());

    public static final List<String> RULES =
            Arrays.stream(IfParentFails.values()).map(IfParentFails::word).toList();

    public static final List<String> CONFLICT_RULES =
            Arrays.stream(OnConflict.values()).map(TermsSpecs::word).toList();

    static String word(OnConflict rule) {
        return rule.name().toLowerCase(Locale.ROOT);
    }

    private static final ObjectSpec UNIQUE =
            ObjectSpec.named("TaskUnique")
                    .required(
                            text("key")
                                    .length(1, UNIQUE_KEY_MAX)
                                    .printableAscii()
                                    .doc("At most one task of the type has it."))
                    .optional(
                            array("states", oneOf("state", TaskStatus.WORDS))
                                    .items(1, TaskStatus.WORDS.size())
                                    .unique()
                                    .doc(
                                            "In which the earlier task stands in the way; "
                                                    + String.join(" and ", UNIQUE_STATES)
                                                    + " when absent."))
                    .optional(
                            integer("periodSeconds")
                                    .range(1, PERIOD_MAX.toSeconds())
                                    .doc("So long after its creation, and no longer."))
                    .optional(
                            oneOf("onConflict", CONFLICT_RULES)
                                    .orElse(word(OnConflict.REJECT))
                                    .doc("What is done when one stands in the way."));

    static ObjectSpec addTo(ObjectSpec create) {
        return create.optional(
                        ids("dependsOn")
                                .items(1, PARENTS_MAX)
                                .doc(
                                        "Ids of tasks of the account; not claimable until all are"
                                                + " completed."))
                .optional(
                        oneOf("onDependencyFailure", RULES)
                                .orElse(IfParentFails.CANCEL.word())
                                .doc(
                                        "What happens to the task when one of them ends in"
                                                + " dead_letter or cancelled."))
                .optional(
                        object("unique", UNIQUE)
                                .doc(
                                        "Only one task of the type with this key may exist at a"
                                                + " time."));
    }

    /// The fields of a task that has such terms, after all others.
    static ObjectSpec shown(ObjectSpec task) {
        return task.optional(ids("dependsOn"))
                .optional(oneOf("onDependencyFailure", RULES))
                .optional(ids("waitingFor").doc("Those of dependsOn that are still open."))
                .optional(text("heldBecause").doc("Why it waits for somebody to release it."))
                .optional(text("uniqueKey"));
    }

    private static ListField ids(String name) {
        return array(name, text("id").pattern(TaskDoorSpecs.UUID_PATTERN));
    }
}
