package io.orchestrion.simulator.history;

import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.sdk.WorkKind;
import io.orchestrion.simulator.history.Observed.Refusal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// Holds what a run saw to every [Rule]. It asks nobody and needs nothing but the data, so what it
/// says about a file is always the same.
public final class Checker {
    /// How often a kind must have been tried before it is wrong that its end was never seen.
    private static final int OFTEN = 10;

    private final Observed seen;
    private final List<Violation> violations = new ArrayList<>();

    private Checker(Observed seen) {
        this.seen = seen;
    }

    /// @return nothing if all is well
    public static List<Violation> check(Observed seen) {
        return new Checker(seen).run();
    }

    private void found(Rule rule, @Nullable UUID job, String what) {
        violations.add(new Violation(rule, job, what));
    }

    private List<Violation> run() {
        Map<String, WorkKind> catalogue = new HashMap<>();
        seen.catalogue().forEach(kind -> catalogue.put(kind.name(), kind));
        for (Story story : seen.stories()) {
            new LifeRules(story, this::found).check();
            new EndRules(story, catalogue, seen.downtimes(), seen.run().maxRetries(), this::found)
                    .check();
            TimeRules.check(story, seen.downtimes(), this::found);
        }
        ids();
        keys();
        lists();
        refusals();
        shown(catalogue);
        new DeliveryRules(seen, this::found).check();
        return List.copyOf(violations);
    }

    private void ids() {
        Map<UUID, UUID> jobOf = new HashMap<>();
        for (Story story : seen.stories()) {
            var own = new HashSet<UUID>();
            for (Event event : story.events()) {
                UUID other = jobOf.put(event.id(), story.id());
                if (!own.add(event.id()) || (other != null && !other.equals(story.id()))) {
                    found(Rule.EVENT_ID, story.id(), "its event " + event.id() + " is there twice");
                }
            }
        }
    }

    private void keys() {
        record Key(int client, String key) {}
        Map<Key, UUID> made = new HashMap<>();
        var jobs = new HashSet<UUID>();
        for (Story story : seen.stories()) {
            if (new HashSet<>(story.ids()).size() > 1) {
                found(
                        Rule.IDEMPOTENCY,
                        story.id(),
                        "the key " + story.key() + " made the jobs " + story.ids());
            }
            if (!jobs.add(story.id())) {
                found(Rule.IDEMPOTENCY, story.id(), "two submits with two keys made one job");
            }
            UUID before =
                    story.key() == null
                            ? null
                            : made.put(new Key(story.client(), story.key()), story.id());
            if (before != null && !before.equals(story.id())) {
                found(
                        Rule.IDEMPOTENCY,
                        story.id(),
                        "the key " + story.key() + " has made " + before + " before");
            }
        }
    }

    private void lists() {
        Map<Integer, Set<UUID>> promised = new HashMap<>();
        for (Story story : seen.stories()) {
            if (!story.deleted()) {
                promised.computeIfAbsent(story.client(), _ -> new HashSet<>()).add(story.id());
            }
        }
        for (Observed.Owned owned : seen.owned()) {
            Set<UUID> theirs = promised.getOrDefault(owned.client(), Set.of());
            var listed = new HashSet<UUID>();
            for (UUID job : owned.jobs()) {
                if (!listed.add(job)) {
                    found(Rule.LISTED, job, "it is in the list twice");
                } else if (!theirs.contains(job)) {
                    found(Rule.LISTED, job, "nobody of client " + owned.client() + " made it");
                }
            }
            for (UUID job : theirs) {
                if (!listed.contains(job)) {
                    found(Rule.LISTED, job, "client " + owned.client() + " misses it in the list");
                }
            }
        }
    }

    private void refusals() {
        for (Refusal refusal : seen.refusals()) {
            if (!refusal.wanted().equals(refusal.got())) {
                found(
                        Rule.REFUSAL,
                        refusal.job(),
                        refusal.what()
                                + " was answered with "
                                + refusal.got()
                                + ", not with "
                                + refusal.wanted());
            }
        }
    }

    /// A kind whose end is never seen was not tried at all, however many jobs it had.
    private void shown(Map<String, WorkKind> catalogue) {
        Map<String, int[]> tries = new LinkedHashMap<>();
        for (Story story : seen.stories()) {
            WorkKind kind = story.workKind() == null ? null : catalogue.get(story.workKind());
            if (kind != null && story.end() != null) {
                int[] counts = tries.computeIfAbsent(kind.name(), _ -> new int[2]);
                counts[0]++;
                if (Objects.equals(kind.expected(), story.end().state().name())) {
                    counts[1]++;
                }
            }
        }
        tries.forEach(
                (kind, counts) -> {
                    if (counts[0] >= OFTEN && counts[1] == 0) {
                        found(
                                Rule.SHOWN,
                                null,
                                "of " + counts[0] + " jobs of " + kind + " none ended as expected");
                    }
                });
    }
}
