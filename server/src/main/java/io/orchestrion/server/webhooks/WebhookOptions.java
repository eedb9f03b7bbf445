package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.work.Backoff;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.egress.GuardedEgress;
import io.orchestrion.server.http.AddressRanges;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// How deliveries are made.
///
/// @param timeout for one whole call, the body of its answer included
/// @param retries quick ones, before the slow ones
/// @param base the first wait between quick tries; each is twice the one before
/// @param cap the longest of them
/// @param slow the waits before the slow tries, which begin when the quick ones are used up; none
///     unless they are asked for
/// @param allowed addresses that may be called beside public ones
/// @param perEndpoint how many calls to one receiver are under way at a time, on all nodes
/// @param inFlight how many calls are under way at a time on this node
/// @param breaker when a receiver that fails is left alone
/// @param pendingMax how much may wait for one receiver
/// @param secretKey what secrets are sealed with in the database; null to keep them as they are
public record WebhookOptions(
        Duration timeout,
        int retries,
        Duration base,
        Duration cap,
        List<Duration> slow,
        AddressRanges allowed,
        int perEndpoint,
        int inFlight,
        Breaker breaker,
        int pendingMax,
        byte @Nullable [] secretKey,
        AddressGuard.Resolver resolver) {

    /// @param failures in a row after which the circuit opens
    /// @param shortest for how long, the first time; twice as long each time after
    /// @param pauseAfter for so long without a success, and the webhook is paused
    public record Breaker(int failures, Duration shortest, Duration longest, Duration pauseAfter) {}

    public static final WebhookOptions DEFAULT =
            new WebhookOptions(
                    Duration.ofSeconds(5),
                    5,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(60),
                    List.of(),
                    AddressRanges.NONE,
                    2,
                    64,
                    new Breaker(
                            10,
                            Duration.ofSeconds(30),
                            Duration.ofMinutes(5),
                            Duration.ofHours(72)),
                    10_000,
                    null,
                    AddressGuard.Resolver.SYSTEM);

    private static final double JITTER = 0.1;

    public WebhookOptions {
        slow = List.copyOf(slow);
        int most = Profiles.DELIVERIES.attempts().max() - 1;
        if (retries < 0 || retries + slow.size() > most) {
            throw new IllegalArgumentException("at most " + most + " retries, quick and slow");
        }
    }

    /// Calls to addresses that may be called, for all who take one from a caller.
    public GuardedEgress egress() {
        return new GuardedEgress(new AddressGuard(allowed, resolver, timeout));
    }

    /// How often a delivery is tried.
    public int attempts() {
        return 1 + retries + slow.size();
    }

    /// How long to wait after so many tries.
    long delayMillis(int tries, RandomGenerator random) {
        if (tries <= retries || slow.isEmpty()) {
            return new Backoff(base, cap, JITTER).delayMillis(tries, random);
        }
        Duration wait = slow.get(Math.min(tries - retries, slow.size()) - 1);
        double share = 1 + JITTER * (2 * random.nextDouble() - 1);
        return Math.max(1, Math.round(wait.toMillis() * share));
    }

    public WebhookOptions withTries(
            int quick, Duration first, Duration longest, List<Duration> then) {
        return new WebhookOptions(
                timeout,
                quick,
                first,
                longest,
                then,
                allowed,
                perEndpoint,
                inFlight,
                breaker,
                pendingMax,
                secretKey,
                resolver);
    }

    public WebhookOptions withTimeout(Duration other) {
        return new WebhookOptions(
                other,
                retries,
                base,
                cap,
                slow,
                allowed,
                perEndpoint,
                inFlight,
                breaker,
                pendingMax,
                secretKey,
                resolver);
    }

    public WebhookOptions withAddresses(AddressRanges others, AddressGuard.Resolver names) {
        return new WebhookOptions(
                timeout,
                retries,
                base,
                cap,
                slow,
                others,
                perEndpoint,
                inFlight,
                breaker,
                pendingMax,
                secretKey,
                names);
    }

    public WebhookOptions withBounds(int each, int all, Breaker other, int pending) {
        return new WebhookOptions(
                timeout, retries, base, cap, slow, allowed, each, all, other, pending, secretKey,
                resolver);
    }

    public WebhookOptions withSecretKey(byte @Nullable [] key) {
        return new WebhookOptions(
                timeout,
                retries,
                base,
                cap,
                slow,
                allowed,
                perEndpoint,
                inFlight,
                breaker,
                pendingMax,
                key,
                resolver);
    }
}
