package io.orchestrion.kernel.policy;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// What an item asks of its worker. The bounds keep the index entries that claims walk along below
/// the size that PostgreSQL can hold.
///
/// @param repository where it is done, in lower case; null for nowhere in particular
/// @param capabilities what its worker must be able to do, in the order of their bytes
public record Requirements(@Nullable String repository, List<String> capabilities) {
    public static final int REPOSITORY_BYTES_MAX = 300;
    public static final int CAPABILITIES_MAX = 20;
    public static final int CAPABILITY_BYTES_MAX = 100;
    public static final int CAPABILITIES_BYTES_MAX = 800;

    /// The order in which the database sorts text without a language. The claim's walk along the
    /// index needs the same order.
    static final Comparator<String> BYTEWISE = (a, b) -> Arrays.compareUnsigned(bytes(a), bytes(b));

    public static final Requirements NONE = new Requirements(null, List.of());

    public Requirements {
        repository = repository == null ? null : lower(repository);
        capabilities = sorted(capabilities);
        String problem = problem(repository, capabilities);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /// What is wrong with them, in words for whoever sent them; null when nothing is.
    public static @Nullable String problem(
            @Nullable String repository, Collection<String> capabilities) {
        if (repository != null && !plain(repository, REPOSITORY_BYTES_MAX)) {
            return "repository must have 1 to "
                    + REPOSITORY_BYTES_MAX
                    + " bytes and no control characters";
        }
        if (capabilities.size() > CAPABILITIES_MAX) {
            return "requiredCapabilities must be at most " + CAPABILITIES_MAX;
        }
        int sum = 0;
        for (String capability : capabilities) {
            if (!plain(capability, CAPABILITY_BYTES_MAX)) {
                return "each of requiredCapabilities must have 1 to "
                        + CAPABILITY_BYTES_MAX
                        + " bytes and no control characters";
            }
            sum += bytes(capability).length;
        }
        return sum > CAPABILITIES_BYTES_MAX
                ? "requiredCapabilities must have at most "
                        + CAPABILITIES_BYTES_MAX
                        + " bytes together"
                : null;
    }

    private static boolean plain(String text, int most) {
        return !text.isBlank()
                && bytes(text).length <= most
                && text.chars().noneMatch(Character::isISOControl);
    }

    static String lower(String repository) {
        return repository.toLowerCase(Locale.ROOT);
    }

    public static List<String> sorted(Collection<String> texts) {
        return texts.stream().distinct().sorted(BYTEWISE).toList();
    }

    /// The part before the last slash: the owner that a policy may name as a whole.
    public static @Nullable String ownerOf(@Nullable String repository) {
        if (repository == null) {
            return null;
        }
        int slash = repository.lastIndexOf('/');
        return slash <= 0 ? null : repository.substring(0, slash);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
