package io.orchestrion.kernel.identity;

import java.util.regex.Pattern;

/// A repository as a policy names it: a whole name, or `owner/*` for all of an owner's.
public final class RepositoryName {
    private static final Pattern ALLOWED = Pattern.compile("[^*]+|[^*/]+(/[^*/]+)*/\\*");

    private RepositoryName() {}

    public static boolean allowed(String text) {
        return ALLOWED.matcher(text).matches();
    }
}
