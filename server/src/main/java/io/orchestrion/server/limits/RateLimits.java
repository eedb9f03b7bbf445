package io.orchestrion.server.limits;

import static io.orchestrion.server.limits.RateLimit.byAddress;
import static io.orchestrion.server.limits.RateLimit.byKey;

import io.orchestrion.server.limits.RateLimit.Share;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The catalogue of rate limits: what the gates enforce and what the documents show.
public final class RateLimits {
    public static final String REGISTER = "register";
    public static final String CREATE = "create";
    public static final String CLAIM = "claim";
    public static final String CLAIM_THIS = "claim-by-id";
    public static final String LIST = "list";
    public static final String GET = "get";
    public static final String HEARTBEAT = "heartbeat";
    public static final String COMPLETE = "complete";
    public static final String FAIL = "fail";
    public static final String CANCEL = "cancel";
    public static final String REQUEUE = "requeue";
    public static final String BILLING = "billing";
    public static final String CAPABILITIES = "capabilities";
    public static final String KEYS = "keys";
    public static final String SCHEDULES = "schedules";
    public static final String OPERATIONS = "operations";
    public static final String AUDIT = "audit";
    public static final String RELEASE = "release";
    public static final String EVENTS = "events";
    public static final String TYPES = "types";

    public static final String QUEUE_CREATE = "queue-create";
    public static final String QUEUE_CLAIM = "queue-claim";
    public static final String QUEUE_HEARTBEAT = "queue-heartbeat";
    public static final String QUEUE_SETTLE = "queue-settle";
    public static final String QUEUE_EVENTS = "queue-events";
    public static final String QUEUE_READ = "queue-read";
    public static final String QUEUE_MANAGE = "queue-manage";

    /// For requests that must never be refused, such as the probes that decide whether a node
    /// lives.
    public static final String NONE = "none";

    /// Over all routes, for callers without a paid key.
    public static final String EVERYTHING = "everything";

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /// Of the tasks door: the contract's fourteen, and those of endpoints that it does not know.
    public static final List<RateLimit> OF_TASKS =
            List.of(
                    byAddress(REGISTER, "POST /v1/keys/register", 10, HOUR),
                    byKey(CREATE, "POST /v1/tasks", 120, Share.CREATES),
                    byKey(CLAIM, "POST /v1/tasks/claim", 600, Share.CLAIM_REQUESTS),
                    byKey(CLAIM_THIS, "POST /v1/tasks/:id/claim", 600, Share.CLAIM_REQUESTS),
                    byKey(LIST, "GET /v1/tasks", 3000, Share.FIXED),
                    byKey(GET, "GET /v1/tasks/:id", 3000, Share.FIXED),
                    byKey(HEARTBEAT, "POST /v1/tasks/:id/heartbeat", 1800, Share.HEARTBEATS),
                    byKey(COMPLETE, "POST /v1/tasks/:id/complete", 600, Share.FINISHES),
                    byKey(FAIL, "POST /v1/tasks/:id/fail", 600, Share.FINISHES),
                    byKey(CANCEL, "POST /v1/tasks/:id/cancel", 600, Share.FIXED),
                    byKey(REQUEUE, "POST /v1/tasks/:id/requeue", 600, Share.FIXED),
                    byKey(BILLING, "Billing endpoints", 10, Share.FIXED),
                    byAddress(CAPABILITIES, "GET /v1/capabilities", 60, MINUTE),
                    byAddress(EVERYTHING, "All routes (global)", 6000, HOUR),
                    byKey(KEYS, "Key endpoints", 600, Share.FIXED),
                    byKey(SCHEDULES, "Schedule endpoints", 600, Share.FIXED),
                    byKey(OPERATIONS, "Operation endpoints", 1200, Share.FIXED),
                    byKey(AUDIT, "GET /v1/audit", 1200, Share.FIXED),
                    byKey(RELEASE, "POST /v1/tasks/:id/release", 600, Share.FIXED),
                    byKey(EVENTS, "Event endpoints", 3600, Share.FIXED),
                    byKey(TYPES, "Type endpoints", 1200, Share.FIXED));

    /// Of the queue door.
    public static final List<RateLimit> OF_QUEUE =
            List.of(
                    byKey(QUEUE_CREATE, "POST /api/queue/jobs", 120, Share.CREATES),
                    byKey(QUEUE_CLAIM, "POST /api/queue/jobs/claim", 600, Share.CLAIM_REQUESTS),
                    byKey(
                            QUEUE_HEARTBEAT,
                            "POST /api/queue/jobs/:jobId/heartbeat",
                            1800,
                            Share.HEARTBEATS),
                    byKey(
                            QUEUE_SETTLE,
                            "POST /api/queue/jobs/:jobId/complete and fail",
                            600,
                            Share.FINISHES),
                    byKey(QUEUE_EVENTS, "POST /api/queue/jobs/:jobId/events", 36_000, Share.FIXED),
                    byKey(QUEUE_READ, "Reading queue endpoints", 3600, Share.FIXED),
                    byKey(QUEUE_MANAGE, "Managing queue endpoints", 600, Share.FIXED));

    private final Map<String, RateLimit> byName = new LinkedHashMap<>();
    private final Map<UUID, Integer> ofClients;

    private RateLimits(Collection<RateLimit> limits, Map<UUID, Integer> ofClients) {
        for (RateLimit limit : limits) {
            if (byName.put(limit.name(), limit) != null) {
                throw new IllegalArgumentException("two limits are called " + limit.name());
            }
        }
        this.ofClients = Map.copyOf(ofClients);
    }

    /// The published limits of all doors, in the order of the documents.
    public static RateLimits of(List<RateLimit> limits) {
        return new RateLimits(limits, Map.of());
    }

    /// These limits with other numbers for those named. What a plan sets is changed in the plan.
    public RateLimits with(Map<String, Integer> changed) {
        var all = new LinkedHashMap<>(byName);
        changed.forEach(
                (name, max) -> all.computeIfPresent(name, (_, limit) -> limit.withMax(max)));
        return new RateLimits(all.values(), ofClients);
    }

    /// These limits with another number of requests a minute for some clients.
    public RateLimits withClients(Map<UUID, Integer> requestsPerMinute) {
        return new RateLimits(byName.values(), requestsPerMinute);
    }

    /// What the operator gave this client of its own; null for what every client has.
    @Nullable Integer ownOf(UUID client) {
        return ofClients.get(client);
    }

    public List<RateLimit> all() {
        return new ArrayList<>(byName.values());
    }

    public RateLimit named(String name) {
        RateLimit limit = byName.get(name);
        if (limit == null) {
            throw new IllegalArgumentException("no limit is called " + name);
        }
        return limit;
    }
}
