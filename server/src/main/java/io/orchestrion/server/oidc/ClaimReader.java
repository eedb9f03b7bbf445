package io.orchestrion.server.oidc;

import io.orchestrion.kernel.identity.RepositoryName;
import io.orchestrion.kernel.identity.WorkerTokens;
import io.orchestrion.server.oidc.JwtVerifier.Bad;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/// Reads who a token speaks for out of the claims that the settings name, as they stand in it. A
/// claim that is there and cannot be read refuses the token: it was meant to say something.
final class ClaimReader {
    private final OidcOptions options;
    private final Predicate<UUID> accounts;

    ClaimReader(OidcOptions options, Predicate<UUID> accounts) {
        this.options = options;
        this.accounts = accounts;
    }

    JwtWorker worker(Map<String, Object> said) throws Bad {
        OidcOptions.Claims names = options.claims();
        Set<String> repositories = list(said, names.repositories());
        if (repositories != null && !repositories.stream().allMatch(RepositoryName::allowed)) {
            throw new Bad("claim " + names.repositories());
        }
        return new JwtWorker(
                account(said, names.account()),
                text(said, names.worker()),
                repositories,
                list(said, names.kinds()),
                list(said, names.capabilities()));
    }

    private UUID account(Map<String, Object> said, @Nullable String name) throws Bad {
        if (name == null) {
            return options.account();
        }
        String text = text(said, name);
        try {
            UUID account = UUID.fromString(text);
            if (account.toString().equalsIgnoreCase(text) && accounts.test(account)) {
                return account;
            }
        } catch (IllegalArgumentException e) {
            // Said below, as for one that nobody has.
        }
        throw new Bad("claim " + name);
    }

    private static String text(Map<String, Object> said, String name) throws Bad {
        if (said.get(name) instanceof String text && fits(text)) {
            return text;
        }
        throw new Bad("claim " + name);
    }

    private static boolean fits(String text) {
        return !text.isBlank()
                && text.length() <= WorkerTokens.WORKER_ID_MAX
                && text.chars().noneMatch(Character::isISOControl);
    }

    /// Null when it is not there; one text is a list of one.
    private static @Nullable Set<String> list(Map<String, Object> said, String name) throws Bad {
        if (!said.containsKey(name)) {
            return null;
        }
        Object value = said.get(name);
        List<?> values = value instanceof String text ? List.of(text) : asList(value);
        if (values == null || values.size() > WorkerTokens.LIST_MAX) {
            throw new Bad("claim " + name);
        }
        var texts = new LinkedHashSet<String>();
        for (Object each : values) {
            if (!(each instanceof String text) || !fits(text)) {
                throw new Bad("claim " + name);
            }
            texts.add(text);
        }
        return Collections.unmodifiableSet(texts);
    }

    private static @Nullable List<?> asList(@Nullable Object value) {
        return value instanceof List<?> list ? list : null;
    }

    /// As the whole claim or as one of a list.
    static boolean has(Map<String, Object> said, String name, String value) {
        Object claim = said.get(name);
        return value.equals(claim) || (claim instanceof List<?> list && list.contains(value));
    }
}
