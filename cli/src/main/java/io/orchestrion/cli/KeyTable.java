package io.orchestrion.cli;

import io.orchestrion.sdk.Key;
import io.orchestrion.sdk.Scope;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Keys below each other.
final class KeyTable {
    private static final List<String> HEAD =
            List.of("STATUS", "NAME", "ID", "SCOPES", "CREATED", "LAST USED", "NOTE");
    private static final int NAME_MAX = 40;

    private final Invocation run;
    private final List<Key> keys = new ArrayList<>();

    KeyTable(Invocation run) {
        this.run = run;
    }

    void add(List<Key> more) {
        keys.addAll(more);
    }

    /// @param ended also those that no longer work; otherwise only how many they are
    void print(boolean ended) {
        List<Key> shown = keys.stream().filter(key -> ended || key.live()).toList();
        var rows = new ArrayList<List<String>>();
        rows.add(HEAD);
        shown.forEach(key -> rows.add(row(key)));
        List<Integer> widths = Screen.widths(List.of(), rows);
        for (int i = 0; i < rows.size(); i++) {
            String line = Screen.line(rows.get(i), widths);
            boolean dim = i > 0 && !shown.get(i - 1).live();
            run.out()
                    .println(
                            i == 0
                                    ? run.screen().strong(line)
                                    : dim ? run.screen().faint(line) : line);
        }
        int hidden = keys.size() - shown.size();
        if (hidden > 0) {
            run.out()
                    .println(run.screen().faint(hidden + " revoked or expired; --all shows them."));
        }
    }

    private List<String> row(Key key) {
        return List.of(
                Screen.clean(key.status()),
                Screen.shortened(Screen.clean(key.name()), NAME_MAX),
                key.id().toString(),
                scopes(key),
                run.times().relative(key.createdAt()),
                ago(key.lastUsedAt(), "never"),
                note(key));
    }

    private String note(Key key) {
        if (key.revokedAt() != null) {
            return "revoked " + ago(key.revokedAt(), "");
        }
        String expiry =
                key.expiresAt() == null
                        ? ""
                        : (key.live() ? "expires " : "expired ") + ago(key.expiresAt(), "");
        if (!key.current()) {
            return expiry;
        }
        return expiry.isEmpty() ? "this key" : "this key, " + expiry;
    }

    private String ago(@Nullable Instant at, String otherwise) {
        return at == null ? otherwise : run.times().relative(at);
    }

    static String scopes(Key key) {
        return key.scopes().stream().map(Scope::word).collect(Collectors.joining(","));
    }
}
