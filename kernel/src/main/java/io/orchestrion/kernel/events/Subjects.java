package io.orchestrion.kernel.events;

import io.orchestrion.kernel.work.Profiles;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All kinds of subjects that engines have brought, by their words.
public final class Subjects {
    public static final Subjects NONE = new Subjects(List.of());

    private final Map<String, SubjectKind> kinds = new LinkedHashMap<>();

    public Subjects(Collection<SubjectKind> all) {
        for (SubjectKind kind : all) {
            if (kinds.put(kind.word(), kind) != null) {
                throw new IllegalArgumentException("two kinds of subjects are called " + kind);
            }
            if (Profiles.LOGS.contains(kind.log())) {
                throw new IllegalArgumentException("the log " + kind.log() + " is that of items");
            }
        }
    }

    SubjectKind kind(String word) {
        SubjectKind kind = kinds.get(word);
        if (kind == null) {
            throw new IllegalArgumentException("no engine has subjects called " + word);
        }
        return kind;
    }

    /// The logs that have subjects and no items.
    public List<String> logs() {
        return kinds.values().stream().map(SubjectKind::log).distinct().toList();
    }

    /// The kinds of a log.
    public List<SubjectKind> of(String log) {
        return kinds.values().stream().filter(kind -> kind.log().equals(log)).toList();
    }
}
