package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Dependency;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// What a task says about others, where it does.
final class TermsJson {
    private TermsJson() {}

    static void write(JsonWriter out, WorkItem item, Documents documents) {
        IfParentFails rule = item.ifParentFails();
        if (rule != null) {
            List<Dependency> parents = documents.dependsOn();
            out.texts("dependsOn", ids(parents, _ -> true));
            out.text("onDependencyFailure", rule.word());
            if (item.waitReason() == WaitReason.DEPENDENCY) {
                out.texts("waitingFor", ids(parents, Dependency::open));
            }
            if (item.waitReason() == WaitReason.HOLD) {
                out.text("heldBecause", heldBecause(parents));
            }
        }
        if (item.keys().unique() != null) {
            out.text("uniqueKey", item.keys().unique());
        }
    }

    private static List<String> ids(List<Dependency> parents, Predicate<Dependency> wanted) {
        return parents.stream().filter(wanted).map(parent -> parent.parentId().toString()).toList();
    }

    private static String heldBecause(List<Dependency> parents) {
        String failed =
                parents.stream()
                        .filter(Dependency::failed)
                        .map(TermsJson::words)
                        .collect(Collectors.joining(", "));
        return failed.isEmpty() ? "Somebody holds it." : "Did not complete: " + failed + ".";
    }

    private static String words(Dependency parent) {
        var ended = parent.ended();
        return parent.parentId() + (ended == null ? "" : " (" + TaskStatus.word(ended) + ")");
    }
}
