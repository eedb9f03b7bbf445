package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.egress.RefusedUrls;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

import java.util.ArrayDeque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// J-091, J-234, J-296: what a delivery would be refused for is refused when the address is given.
class CallbackAddressTest extends JobsFixture {
    private static final JsonMapper JSON = new JsonMapper();

    private static String quoted(String text) {
        return JSON.writeValueAsString(JsonNodeFactory.instance.stringNode(text));
    }

    @Test
    void an_address_that_is_never_called_is_refused_at_both_places_in_the_same_words() {
        for (String url : RefusedUrls.KNOWN) {
            Reply job = jobs.submit("\"type\":\"EXECUTE\",\"callback\":" + quoted(url));
            Reply webhook =
                    jobs.keyed()
                            .post(
                                    "/v1/webhooks",
                                    "{\"events\":[\"job.failed\"],\"url\":" + quoted(url) + "}");
            assertThat(job.status()).as(url).isEqualTo(400);
            assertThat(job.text("/code"))
                    .as(url)
                    .isEqualTo(JobsError.JOB_VALIDATION_FAILED.code())
                    .isEqualTo(webhook.text("/code"));
            assertThat(job.text("/errors/0/field")).as(url).isEqualTo("callback");
            assertThat(job.text("/errors/0/message").replaceFirst("^callback ", ""))
                    .as(url)
                    .startsWith("must ")
                    .isEqualTo(webhook.text("/errors/0/message").replaceFirst("^url ", ""));
        }
        assertThat(jobs.keyed().get(JobsApi.JOBS).at("/jobs")).isEmpty();
        assertThat(jobs.keyed().get("/v1/webhooks").at("/webhooks")).isEmpty();
    }

    /// A new field that takes an address is added here when it is vetted like the others.
    @Test
    void these_are_all_the_addresses_that_callers_give_us() {
        Pattern address = Pattern.compile("(?i).*(ur[il]|callback|webhook|href|host|address).*");
        Set<String> found = new TreeSet<>();
        for (Endpoint endpoint : Doors.CATALOGUE) {
            var specs = new ArrayDeque<ObjectSpec>();
            specs.add(endpoint.query());
            if (endpoint.request() != null) {
                specs.add(endpoint.request());
            }
            while (!specs.isEmpty()) {
                ObjectSpec spec = specs.remove();
                specs.addAll(spec.nested());
                spec.fields().stream()
                        .map(Field::name)
                        .filter(name -> address.matcher(name).matches())
                        .forEach(name -> found.add(endpoint.name() + "." + name));
            }
        }
        assertThat(found).containsExactly("createWebhook.url", "submitJob.callback");
    }
}
