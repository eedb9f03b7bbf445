package io.orchestrion.kernel.events;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// A kind of subject that an engine reports events of, with all its words: an execution, a run, an
/// approval. Kinds are given to the kernel at its start, and no other word gets into a log or a
/// count.
///
/// @param word such as `execution`; with an event it is the name that receivers ask for:
///     `execution.started`
/// @param log that its events are in; an engine has one for all its kinds
/// @param events all that can happen to a subject, such as `started`
/// @param states all that a subject can be in
public record SubjectKind(String word, String log, List<String> events, List<String> states) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,39}");

    public SubjectKind {
        events = List.copyOf(events);
        states = List.copyOf(states);
        check(word);
        check(log);
        events.forEach(SubjectKind::check);
        states.forEach(SubjectKind::check);
        if (new HashSet<>(events).size() < events.size()
                || new HashSet<>(states).size() < states.size()) {
            throw new IllegalArgumentException("a word of " + word + " is there twice");
        }
    }

    private static void check(String word) {
        if (!WORD.matcher(word).matches()) {
            throw new IllegalArgumentException("no word: " + word);
        }
    }

    /// The public name of an event.
    public String name(String event) {
        return word + "." + event;
    }

    /// All public names.
    public List<String> names() {
        return events.stream().map(this::name).toList();
    }
}
