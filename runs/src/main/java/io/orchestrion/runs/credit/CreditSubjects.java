package io.orchestrion.runs.credit;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.id.PublicId;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/// What the account's log tells of its credits.
public final class CreditSubjects {
    private static final JsonMapper JSON = JsonMapper.shared();

    /// Entries that people make. Those of runs are told of with the run.
    public static final SubjectKind CREDIT =
            new SubjectKind("credit", "runs", List.of("granted", "reversed"), List.of());

    private CreditSubjects() {}

    static SubjectEvent granted(Entry entry) {
        return event("granted", entry, JSON.createObjectNode());
    }

    static SubjectEvent reversed(Entry entry, Notice notice) {
        ObjectNode data = JSON.createObjectNode();
        data.put("run_id", PublicId.RUN.of(notice.run()));
        data.put("reverses", PublicId.ENTRY.ofNullable(entry.reverses()));
        data.put("message", notice.message());
        return event("reversed", entry, data);
    }

    private static SubjectEvent event(String word, Entry entry, ObjectNode data) {
        data.put("ledger_entry_id", PublicId.ENTRY.of(entry.id()));
        data.put("amount", entry.amount());
        if (entry.reason() != null) {
            data.put("reason", entry.reason());
        }
        return SubjectEvent.of(CREDIT.word(), entry.id(), 1, word, null, null)
                .with(data.toString(), null);
    }
}
