package io.orchestrion.kernel.policy;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/// What a worker may take. For each list, null allows anything and an empty one nothing. A worker
/// without capabilities may still take items that ask for none.
///
/// @param repositories whole names in lower case, or `owner/*` for all directly under an owner; an
///     item without a repository is only for workers that may take any
public record Policy(
        @Nullable Set<String> kinds,
        @Nullable Set<String> repositories,
        @Nullable Set<String> capabilities) {
    private static final String ALL_OF = "/*";

    public static final Policy ANYTHING = new Policy(null, null, null);

    public Policy {
        kinds = kinds == null ? null : Set.copyOf(kinds);
        repositories =
                repositories == null
                        ? null
                        : repositories.stream()
                                .map(Requirements::lower)
                                .collect(Collectors.toUnmodifiableSet());
        capabilities = capabilities == null ? null : Set.copyOf(capabilities);
    }

    /// The same, held to what is asked for as well: nobody gets more by asking.
    public Policy narrowedTo(
            @Nullable Set<String> askedKinds, @Nullable Set<String> askedCapabilities) {
        return new Policy(
                both(kinds, askedKinds), repositories, both(capabilities, askedCapabilities));
    }

    private static @Nullable Set<String> both(@Nullable Set<String> a, @Nullable Set<String> b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        var shared = new HashSet<>(a);
        shared.retainAll(b);
        return shared;
    }

    /// Whether no item at all fits.
    public boolean allowsNothing() {
        return (kinds != null && kinds.isEmpty())
                || (repositories != null && repositories.isEmpty());
    }

    /// For waking workers that wait; a claim checks this in its statement.
    boolean allows(String kind, Requirements requirements) {
        return allowsKind(kind)
                && (repositories == null || allowsRepository(requirements.repository()))
                && (capabilities == null || capabilities.containsAll(requirements.capabilities()));
    }

    public boolean allowsKind(String kind) {
        return kinds == null || kinds.contains(kind);
    }

    private boolean allowsRepository(@Nullable String repository) {
        if (repository == null || repositories == null) {
            return false;
        }
        String owner = Requirements.ownerOf(repository);
        return repositories.contains(repository)
                || (owner != null && repositories.contains(owner + ALL_OF));
    }

    /// The owners that are named as a whole.
    public Set<String> owners() {
        return repositories == null
                ? Set.of()
                : repositories.stream()
                        .filter(name -> name.endsWith(ALL_OF))
                        .map(name -> name.substring(0, name.length() - ALL_OF.length()))
                        .collect(Collectors.toSet());
    }

    /// The repositories that are named one by one, without those of the owners: nothing is to be
    /// found twice.
    public Set<String> exactRepositories() {
        Set<String> owners = owners();
        return repositories == null
                ? Set.of()
                : repositories.stream()
                        .filter(name -> !name.endsWith(ALL_OF))
                        .filter(
                                name -> {
                                    String owner = Requirements.ownerOf(name);
                                    return owner == null || !owners.contains(owner);
                                })
                        .collect(Collectors.toSet());
    }
}
