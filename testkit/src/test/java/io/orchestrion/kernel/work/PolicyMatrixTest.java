package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Which worker gets which job: every policy beside every job, and a rule of few words beside what
/// the claim's statement does.
class PolicyMatrixTest {
    private record Job(String kind, String repository, List<String> capabilities) {}

    private static final String[] KINDS = {"codex_exec", "codex_skill"};
    private static final String[] REPOSITORIES = {
        null, "acme/app", "Acme/App2", "acme", "beta/app", "acme/app/deep", "acmes/app"
    };
    private static final List<List<String>> CAPABILITIES =
            List.of(
                    List.of(),
                    List.of("git"),
                    List.of("gh", "git"),
                    List.of("git", "gpu"),
                    List.of("Git"),
                    List.of("zig"));

    private static final List<Set<String>> ALLOWED_KINDS =
            Arrays.asList(
                    null,
                    Set.of(),
                    Set.of("codex_exec"),
                    Set.of("codex_exec", "codex_skill"),
                    Set.of("codex", "zzz"));
    private static final List<Set<String>> ALLOWED_REPOSITORIES =
            Arrays.asList(
                    null,
                    Set.of(),
                    Set.of("ACME/app"),
                    Set.of("acme/*"),
                    Set.of("acme/*", "acme/app", "beta/app"),
                    Set.of("acme", "acme/app2", "acme/app/*"),
                    Set.of("*"));
    private static final List<Set<String>> ALLOWED_CAPABILITIES =
            Arrays.asList(
                    null,
                    Set.of(),
                    Set.of("git"),
                    Set.of("git", "gh"),
                    Set.of("git", "gh", "gpu", "zig"),
                    Set.of("aaa", "Git", "zzz"));

    private static List<Job> jobs() {
        var jobs = new ArrayList<Job>();
        for (String kind : KINDS) {
            for (String repository : REPOSITORIES) {
                for (List<String> capabilities : CAPABILITIES) {
                    jobs.add(new Job(kind, repository, capabilities));
                }
            }
        }
        return jobs;
    }

    /// The rule as the contract says it, word by word.
    private static boolean mayTake(
            Set<String> kinds, Set<String> repositories, Set<String> capabilities, Job job) {
        if (kinds != null && !kinds.contains(job.kind)) {
            return false;
        }
        if (capabilities != null && !capabilities.containsAll(job.capabilities)) {
            return false;
        }
        if (repositories == null) {
            return true;
        }
        if (job.repository == null) {
            return false;
        }
        String name = job.repository.toLowerCase(Locale.ROOT);
        for (String allowed : repositories) {
            String lower = allowed.toLowerCase(Locale.ROOT);
            boolean all = lower.endsWith("/*");
            String owner = all ? lower.substring(0, lower.length() - 1) : "";
            if (all
                    ? name.startsWith(owner) && name.indexOf('/', owner.length()) < 0
                    : name.equals(lower)) {
                return true;
            }
        }
        return false;
    }

    /// Q-019..Q-031, L-025: each cell is claimed or not, as the policy says; what is not claimed
    /// stays where it was, for the next worker.
    @Test
    void every_policy_beside_every_job() {
        try (var queue = new QueueFixture()) {
            var jobs = new ConcurrentHashMap<UUID, Job>();
            submit(queue, jobs(), jobs);
            int claimed = 0;
            for (Set<String> kinds : ALLOWED_KINDS) {
                for (Set<String> repositories : ALLOWED_REPOSITORIES) {
                    for (Set<String> capabilities : ALLOWED_CAPABILITIES) {
                        claimed += check(queue, jobs, kinds, repositories, capabilities);
                    }
                }
            }
            assertThat(claimed).isGreaterThan(1000);
        }
    }

    private static void submit(QueueFixture queue, List<Job> wanted, Map<UUID, Job> jobs) {
        Parallel.run(
                wanted.size(),
                i ->
                        () -> {
                            Job job = wanted.get(i);
                            UUID id = queue.submit(job.kind, job.repository, job.capabilities);
                            return jobs.put(id, job);
                        });
    }

    /// Claims all that the policy allows, compares, and puts it back by going on with a new set of
    /// the same jobs.
    private static int check(
            QueueFixture queue,
            Map<UUID, Job> jobs,
            Set<String> kinds,
            Set<String> repositories,
            Set<String> capabilities) {
        List<Job> wanted =
                jobs.values().stream()
                        .filter(job -> mayTake(kinds, repositories, capabilities, job))
                        .toList();
        var policy = new Policy(kinds, repositories, capabilities);
        List<WorkItem> items = queue.claim(policy, "w", jobs.size() + 1);
        List<Job> got = items.stream().map(item -> jobs.remove(item.id())).toList();
        assertThat(got).as(policy.toString()).containsExactlyInAnyOrderElementsOf(wanted);
        Parallel.run(
                items.size(),
                i -> () -> queue.apply(items.get(i).id(), QueueFixture.complete("w")));
        submit(queue, got, jobs);
        return items.size();
    }

    ///
    @Test
    void asking_for_more_gives_no_more_and_asking_for_less_gives_less() {
        var token = new Policy(Set.of("a", "b"), Set.of("acme/x"), Set.of("git", "gh"));
        assertThat(token.narrowedTo(null, null)).isEqualTo(token);
        Policy narrowed = token.narrowedTo(Set.of("b", "c"), Set.of("git", "gpu"));
        assertThat(narrowed.kinds()).containsExactly("b");
        assertThat(narrowed.capabilities()).containsExactly("git");
        assertThat(narrowed.repositories()).containsExactly("acme/x");
        assertThat(Policy.ANYTHING.narrowedTo(Set.of("c"), Set.of()))
                .isEqualTo(new Policy(Set.of("c"), null, Set.of()));
        assertThat(new Policy(Set.of(), null, null).narrowedTo(Set.of("c"), null).kinds())
                .isEmpty();
    }

    /// The capabilities are walked along in the order of their bytes, whatever letters they have.
    @Test
    void names_in_any_letters_are_found() {
        try (var queue = new QueueFixture()) {
            List<String> odd = List.of("Zürich", "a b", "é", "日本", "😀", "z", "ﬀ", "\uffee", "0");
            var ids = new HashSet<UUID>();
            for (String one : odd) {
                ids.add(queue.submit("k " + one, one + "/" + one, List.of(one)));
                for (String other : odd) {
                    queue.submit("k " + one, "x/y", List.of(one, other, "never"));
                }
            }
            var policy =
                    new Policy(
                            null,
                            odd.stream()
                                    .map(one -> one + "/*")
                                    .collect(java.util.stream.Collectors.toSet()),
                            Set.copyOf(odd));
            assertThat(queue.claim(policy, "w", 100))
                    .extracting(WorkItem::id)
                    .containsExactlyInAnyOrderElementsOf(ids);
        }
    }
}
