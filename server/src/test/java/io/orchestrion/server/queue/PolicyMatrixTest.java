package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Tokens × types × repositories × capabilities: each cell is given or not as a rule of a few lines
/// says, which knows nothing of how the server decides.
@Timeout(300)
class PolicyMatrixTest extends QueueFixture {
    private static final List<String> TYPES = List.of("exec", "review");
    private static final List<String> REPOSITORIES =
            List.of("", "Owner/One", "owner/two", "Other/One", "Owner2/One");
    private static final int AT_ONCE = 25;
    private static final List<Set<String>> CAPABILITIES =
            List.of(Set.of(), Set.of("git"), Set.of("git", "gpu"), Set.of("Git"));

    /// A list of a token: null for none.
    private record Allowed(List<String> names) {
        static final Allowed ANY = new Allowed(null);

        static Allowed of(String... names) {
            return new Allowed(List.of(names));
        }

        String json(String field) {
            return names == null
                    ? ""
                    : ",\"%s\":[%s]"
                            .formatted(
                                    field,
                                    names.stream()
                                            .map(name -> "\"" + name + "\"")
                                            .collect(Collectors.joining(",")));
        }

        boolean hasAll(Set<String> wanted) {
            return names == null || names.containsAll(wanted);
        }

        boolean hasRepository(String repository) {
            if (names == null) {
                return true;
            }
            String whole = repository.toLowerCase(Locale.ROOT);
            String owner = whole.contains("/") ? whole.substring(0, whole.indexOf('/')) + "/*" : "";
            return !whole.isEmpty()
                    && names.stream()
                            .map(name -> name.toLowerCase(Locale.ROOT))
                            .anyMatch(name -> name.equals(whole) || name.equals(owner));
        }
    }

    private record Token(Allowed types, Allowed repositories, Allowed capabilities) {
        boolean allows(Job job) {
            return types.hasAll(Set.of(job.type()))
                    && repositories.hasRepository(job.repository())
                    && capabilities.hasAll(job.capabilities());
        }

        String json() {
            String fields =
                    types.json("allowedJobTypes")
                            + repositories.json("allowedRepositories")
                            + capabilities.json("capabilities");
            return fields.isEmpty() ? "" : fields.substring(1);
        }
    }

    private record Job(String type, String repository, Set<String> capabilities) {
        String payload() {
            String wanted =
                    capabilities.stream()
                            .sorted()
                            .map(name -> "\"" + name + "\"")
                            .collect(Collectors.joining(","));
            return repository.isEmpty()
                    ? "{\"requiredCapabilities\":[%s]}".formatted(wanted)
                    : "{\"repository\":\"%s\",\"requiredCapabilities\":[%s]}"
                            .formatted(repository, wanted);
        }
    }

    private static List<Token> tokens() {
        var tokens = new ArrayList<Token>();
        for (Allowed types : List.of(Allowed.ANY, Allowed.of(), Allowed.of("exec"))) {
            for (Allowed repositories :
                    List.of(
                            Allowed.ANY,
                            Allowed.of(),
                            Allowed.of("OWNER/one"),
                            Allowed.of("Owner/*"),
                            Allowed.of("other/one", "Owner/*"))) {
                for (Allowed capabilities :
                        List.of(
                                Allowed.ANY,
                                Allowed.of(),
                                Allowed.of("git"),
                                Allowed.of("gpu", "git"))) {
                    tokens.add(new Token(types, repositories, capabilities));
                }
            }
        }
        return tokens;
    }

    private static List<Job> jobs() {
        var jobs = new ArrayList<Job>();
        for (String type : TYPES) {
            for (String repository : REPOSITORIES) {
                for (Set<String> capabilities : CAPABILITIES) {
                    jobs.add(new Job(type, repository, capabilities));
                }
            }
        }
        return jobs;
    }

    private static Job read(JsonNode job) {
        var capabilities = new TreeSet<String>();
        job.at("/payload/requiredCapabilities").forEach(each -> capabilities.add(each.asString()));
        return new Job(
                job.get("type").asString(),
                job.at("/payload/repository").asString(""),
                Set.copyOf(capabilities));
    }

    /// As many of the jobs as are asked for, again from the first after the last.
    private static void enqueue(QueueApi queue, int count) {
        List<Job> jobs = jobs();
        // One first, from which on the key is known, and never all at once: a small machine may
        // rightly say that it is too much.
        queue.enqueue(jobs.getFirst().type(), jobs.getFirst().payload());
        for (int first = 1; first < count; first += AT_ONCE) {
            int begin = first;
            Parallel.run(
                    Math.min(AT_ONCE, count - begin),
                    i ->
                            () -> {
                                Job job = jobs.get((begin + i) % jobs.size());
                                return queue.enqueue(job.type(), job.payload());
                            });
        }
    }

    /// Q-019..Q-031, L-025: every token finds exactly what the rule gives it, among all jobs.
    @Test
    void every_token_gets_all_that_its_policy_allows_and_nothing_else() {
        List<Token> tokens = tokens();
        int cells = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            QueueApi mine = QueueApi.of(server);
            enqueue(mine, jobs().size());
            Set<Job> got = new LinkedHashSet<>();
            Reply reply = mine.worker("w-" + i, token.json()).claim("\"count\":100");
            reply.at("/jobs").forEach(job -> got.add(read(job)));
            Set<Job> due = jobs().stream().filter(token::allows).collect(Collectors.toSet());
            assertThat(got).as(token.toString()).isEqualTo(due);
            assertThat(reply.at("/jobs")).as("once each").hasSize(due.size());
            cells += jobs().size();
        }
        assertThat(cells).isEqualTo(60 * 40);
    }

    /// Q-021..Q-030 under load: 100 workers, all at once, one account.
    @Test
    void a_hundred_workers_at_once_never_get_a_job_outside_their_policy() {
        List<Token> tokens = tokens();
        var workers = new ArrayList<QueueApi.Worker>();
        for (int i = 0; i < 100; i++) {
            workers.add(queue.worker("w-" + i, tokens.get(i % tokens.size()).json()));
        }
        enqueue(queue, 400);
        List<List<String>> taken =
                Parallel.run(
                        100,
                        i ->
                                () -> {
                                    var ids = new ArrayList<String>();
                                    Reply reply = workers.get(i).claim("\"count\":3");
                                    while (!reply.at("/jobs").isEmpty()) {
                                        for (JsonNode job : reply.at("/jobs")) {
                                            Token token = tokens.get(i % tokens.size());
                                            assertThat(token.allows(read(job)))
                                                    .as("%s took %s", token, job)
                                                    .isTrue();
                                            ids.add(job.get("id").asString());
                                        }
                                        reply = workers.get(i).claim("\"count\":3");
                                    }
                                    return ids;
                                });
        List<String> all = taken.stream().flatMap(List::stream).toList();
        assertThat(all).doesNotHaveDuplicates();
        // Some token is for anything, so that nothing is left.
        assertThat(all).hasSize(400);
    }
}
