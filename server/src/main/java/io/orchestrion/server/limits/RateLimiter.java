package io.orchestrion.server.limits;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.limit.Allowances;
import io.orchestrion.kernel.limit.Ask;
import io.orchestrion.kernel.limit.Taken;
import io.orchestrion.kernel.limit.Window;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.server.limits.RateLimit.By;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;

/// Counts a request against the limits that it falls under: those of its caller's address, key and
/// account, at once and all or nothing. Callers on the unlimited plan are not counted at all.
public final class RateLimiter {
    /// More keys must not give more than the plan sells, so a limit that depends on the plan is
    /// also counted by account.
    private static final Map<String, String> ALSO_BY_ACCOUNT =
            Map.of(RateLimits.CREATE, "create-account");

    private final RateLimits limits;
    private final Allowances allowances;
    private final Standings standings;
    private final Database database;

    public RateLimiter(
            RateLimits limits, Allowances allowances, Standings standings, Database database) {
        this.limits = limits;
        this.allowances = allowances;
        this.standings = standings;
        this.database = database;
    }

    /// The outcome of counting a request.
    ///
    /// @param refusedBy the limit that is used up, null when the request may go on
    /// @param max what that limit allows this caller
    /// @param headers what the answer says about the limits
    public record Verdict(
            @Nullable RateLimit refusedBy, int max, long waitMs, Map<String, String> headers) {
        private static final Verdict FREE = new Verdict(null, 0, 0, Map.of());

        /// The message for the caller; null when the request may go on.
        public @Nullable String refusal() {
            return refusedBy == null
                    ? null
                    : "At most "
                            + max
                            + " requests in "
                            + refusedBy.window().toSeconds()
                            + " seconds for "
                            + refusedBy.endpoint()
                            + ", counted by "
                            + refusedBy.by().word()
                            + ".";
        }
    }

    private record Counted(RateLimit limit, Ask ask, boolean shown) {}

    /// @param limitName the endpoint's limit, empty where it has none of its own
    /// @param caller null for a caller without a good key
    public Verdict count(String limitName, String address, @Nullable Principal caller) {
        if (limitName.equals(RateLimits.NONE)) {
            return Verdict.FREE;
        }
        Plan plan = caller == null ? null : planOf(caller, false);
        List<Counted> counted = counted(limitName, address, caller, plan);
        if (counted.isEmpty()) {
            return Verdict.FREE;
        }
        Taken taken = take(counted, limitName);
        if (!taken.granted() && caller != null && plan != null) {
            // Somebody may have paid on another node a moment ago.
            Plan fresh = planOf(caller, true);
            if (!fresh.equals(plan)) {
                counted = counted(limitName, address, caller, fresh);
                if (counted.isEmpty()) {
                    return Verdict.FREE;
                }
                taken = take(counted, limitName);
            }
        }
        return verdict(counted, taken);
    }

    /// The seconds from one request to the next that the caller may keep to for as long as it
    /// likes; 0 where nothing limits it. Nothing is counted.
    long paceSeconds(String limitName, @Nullable Principal caller) {
        if (limitName.equals(RateLimits.NONE)) {
            return 0;
        }
        Plan plan = caller == null ? null : planOf(caller, false);
        return counted(limitName, "", caller, plan).stream()
                .mapToLong(each -> each.limit().paceSeconds(each.ask().max()))
                .max()
                .orElse(0);
    }

    /// Counts several at once against a limit by key, all or nothing.
    ///
    /// @param refusedBy null when they may go on
    /// @param left how many more the caller may have now
    public record Several(@Nullable RateLimit refusedBy, int max, int left, long waitMs) {}

    public Several countSeveral(String limitName, Principal caller, int amount) {
        RateLimit limit = limits.named(limitName);
        Several first = countSeveral(limit, caller, amount, planOf(caller, false));
        // Somebody may have paid on another node a moment ago.
        return first.refusedBy() == null
                ? first
                : countSeveral(limit, caller, amount, planOf(caller, true));
    }

    private Several countSeveral(RateLimit limit, Principal caller, int amount, Plan plan) {
        if (plan.unlimited()) {
            return new Several(null, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
        }
        var asks = new ArrayList<Ask>();
        asks.add(ofKey(caller, limit, plan));
        String ofAccount = ALSO_BY_ACCOUNT.get(limit.name());
        if (ofAccount != null) {
            asks.add(ask(caller.accountId(), "account", ofAccount, limit, plan));
        }
        Taken taken =
                allowances.take(
                        asks.stream().map(ask -> new Ask(ask.window(), amount, ask.max())).toList(),
                        limit.ofHolders());
        int left = Integer.MAX_VALUE;
        for (int i = 0; i < asks.size(); i++) {
            left = Math.min(left, Math.max(0, asks.get(i).max() - taken.used().get(i)));
        }
        Ask full = taken.refusedBy();
        return new Several(full == null ? null : limit, limit.maxFor(plan), left, taken.waitMs());
    }

    /// What a caller has used of one limit in its window.
    public record Used(RateLimit limit, int max, int used) {
        public int left() {
            return Math.max(0, max - used);
        }
    }

    /// How the caller stands with all limits of its key, without counting; nothing for the
    /// unlimited plan.
    public List<Used> used(Principal caller) {
        Plan plan = planOf(caller, false);
        if (plan.unlimited()) {
            return List.of();
        }
        List<RateLimit> ofKey =
                limits.all().stream().filter(limit -> limit.by() == By.KEY).toList();
        List<Integer> counts =
                allowances.used(
                        caller.accountId(),
                        ofKey.stream().map(limit -> ofKey(caller, limit, plan).window()).toList());
        var used = new ArrayList<Used>();
        for (int i = 0; i < ofKey.size(); i++) {
            RateLimit limit = ofKey.get(i);
            used.add(new Used(limit, limit.maxFor(plan), counts.get(i)));
        }
        return used;
    }

    private static Ask ofKey(Principal caller, RateLimit limit, Plan plan) {
        return ask(caller.accountId(), "key:" + caller.keyId(), limit.name(), limit, plan);
    }

    private Plan planOf(Principal caller, boolean fresh) {
        UUID account = caller.accountId();
        return (fresh ? standings.recent(account) : standings.of(account))
                .at(database.aboutNowMillis());
    }

    private Taken take(List<Counted> counted, String limitName) {
        return allowances.take(
                counted.stream().map(Counted::ask).toList(),
                !limitName.isEmpty() && limits.named(limitName).ofHolders());
    }

    private List<Counted> counted(
            String limitName, String address, @Nullable Principal caller, @Nullable Plan plan) {
        if (caller != null && ofClient(limitName)) {
            return byClient(limits.named(limitName), caller.accountId(), plan);
        }
        var counted = new ArrayList<Counted>();
        if (plan != null && plan.unlimited()) {
            return counted;
        }
        Plan measure = plan == null ? standings.plans().free() : plan;
        if (plan == null || !plan.paid()) {
            counted.add(byAddress(limits.named(RateLimits.EVERYTHING), address, measure));
        }
        if (limitName.isEmpty()) {
            return counted;
        }
        RateLimit limit = limits.named(limitName);
        if (limit.by() == By.ADDRESS || caller == null) {
            // A call that needs a key and has none ends before its own limit; those that do not
            // need one are counted by address.
            counted.add(byAddress(limit, address, measure));
            return counted;
        }
        counted.add(new Counted(limit, ofKey(caller, limit, measure), true));
        String ofAccount = ALSO_BY_ACCOUNT.get(limit.name());
        if (ofAccount != null) {
            counted.add(
                    new Counted(
                            limit,
                            ask(caller.accountId(), "account", ofAccount, limit, measure),
                            false));
        }
        return counted;
    }

    private boolean ofClient(String limitName) {
        return !limitName.isEmpty() && limits.named(limitName).by() == By.CLIENT;
    }

    /// All keys of a client count together, in each window of the limit. What the operator gave a
    /// client of its own counts even where its plan is not counted.
    private List<Counted> byClient(RateLimit limit, UUID client, @Nullable Plan plan) {
        Integer own = limits.ownOf(client);
        if (own == null && plan != null && plan.unlimited()) {
            return List.of();
        }
        RateLimit minute = own == null ? limit : limit.withMax(own);
        Plan measure = plan == null ? standings.plans().free() : plan;
        var counted = new ArrayList<Counted>();
        counted.add(
                new Counted(minute, ask(client, "client", minute.name(), minute, measure), true));
        if (limit.along() != null) {
            RateLimit day = limits.named(limit.along());
            counted.add(new Counted(day, ask(client, "client", day.name(), day, measure), true));
        }
        return counted;
    }

    private static Counted byAddress(RateLimit limit, String address, Plan plan) {
        return new Counted(
                limit, ask(Window.NOBODY, "address:" + address, limit.name(), limit, plan), true);
    }

    private static Ask ask(UUID account, String subject, String name, RateLimit limit, Plan plan) {
        return new Ask(new Window(account, subject, name, limit.slot()), 1, limit.maxFor(plan));
    }

    /// The fields of draft-ietf-httpapi-ratelimit-headers: what is allowed, and what is left.
    private static Verdict verdict(List<Counted> counted, Taken taken) {
        var policies = new StringJoiner(", ");
        var states = new StringJoiner(", ");
        RateLimit refusedBy = null;
        int max = 0;
        for (int i = 0; i < counted.size(); i++) {
            Counted one = counted.get(i);
            boolean full = one.ask().equals(taken.refusedBy());
            if (full) {
                refusedBy = one.limit();
                max = one.ask().max();
            }
            if (one.shown()) {
                policies.add(
                        "\"%s\";q=%d;w=%d"
                                .formatted(
                                        one.limit().name(),
                                        one.ask().max(),
                                        one.limit().window().toSeconds()));
                states.add(
                        "\"%s\";r=%d%s"
                                .formatted(
                                        one.limit().name(),
                                        full ? 0 : one.ask().max() - taken.used().get(i),
                                        full ? ";t=" + (taken.waitMs() + 999) / 1000 : ""));
            }
        }
        return new Verdict(
                refusedBy,
                max,
                taken.waitMs(),
                Map.of("RateLimit-Policy", policies.toString(), "RateLimit", states.toString()));
    }
}
