package io.orchestrion.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// The documents as they come over the wire, from a server with the published limits.
class ServedDocumentsTest {
    @SuppressWarnings("unused") // Read by @FieldSource.
    private static final List<Endpoint> DOCUMENTS = DiscoveryEndpoints.CATALOGUE.endpoints();

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(options -> options, options -> options.withLimits(Doors.LIMITS));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Reply get(String path) {
        return server.anonymous().get(path);
    }

    /// T-314, T-016, T-017, T-018, T-019: without a credential, also with a wrong one.
    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void a_document_needs_no_credential(Endpoint document) {
        Reply reply = get(document.path());
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type"))
                .isEqualTo(
                        document == DiscoveryEndpoints.LLMS
                                ? "text/markdown; charset=utf-8"
                                : "application/json");
        assertThat(server.anonymous().withKey("wrong").get(document.path()).status())
                .isEqualTo(200);
    }

    /// T-314, T-020: the answers about the node as well.
    @ParameterizedTest
    @ValueSource(strings = {"/health", "/ready"})
    void a_probe_needs_no_credential(String path) {
        assertThat(get(path).status()).isEqualTo(200);
        assertThat(get(path).header("Content-Type")).isEqualTo("application/json");
    }

    /// T-007, T-314: a key in the address is refused here too.
    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void a_key_in_the_address_is_refused(Endpoint document) {
        Reply reply = get(document.path() + "?api_key=x");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
    }

    /// T-314.
    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void head_answers_like_get_without_the_body(Endpoint document) {
        Reply full = get(document.path());
        Reply head = server.anonymous().send("HEAD", document.path(), null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        for (String header : new String[] {"Content-Type", "ETag", "Cache-Control"}) {
            assertThat(head.header(header)).isEqualTo(full.header(header)).isNotEmpty();
        }
        assertThat(head.header("Content-Length"))
                .isEqualTo(String.valueOf(full.text().getBytes(StandardCharsets.UTF_8).length));
    }

    /// T-314: whoever has it already is not sent it again.
    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void a_document_that_is_known_is_not_sent_again(Endpoint document) {
        Reply full = get(document.path());
        assertThat(full.header("Cache-Control")).isEqualTo("max-age=60");
        String tag = full.header("ETag");
        for (String named : new String[] {tag, "W/" + tag, "\"other\", " + tag, "*"}) {
            Reply again = server.anonymous().with("If-None-Match", named).get(document.path());
            assertThat(again.status()).as(named).isEqualTo(304);
            assertThat(again.text()).isEmpty();
            assertThat(again.header("ETag")).isEqualTo(tag);
        }
        assertThat(
                        server.anonymous()
                                .with("If-None-Match", "\"other\"")
                                .get(document.path())
                                .status())
                .isEqualTo(200);
    }

    /// T-263, C-05.
    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void every_document_says_what_to_do_next(Endpoint document) {
        if (document == DiscoveryEndpoints.LLMS) {
            assertThat(get(document.path()).text()).contains("agent_contract.next_actions");
            return;
        }
        String field =
                document == DiscoveryEndpoints.SCHEMA ? "/x-agent_contract" : "/agent_contract";
        JsonNode contract = get(document.path()).at(field);
        assertThat(contract.get("version").asString()).isEqualTo("1");
        assertThat(contract.get("retryable").isBoolean()).isTrue();
        JsonNode action = contract.get("next_actions").get(0);
        assertThat(action.get("action").asString()).isEqualTo("authenticate");
        assertThat(
                        server.anonymous()
                                .send(
                                        action.get("method").asString(),
                                        action.get("endpoint").asString(),
                                        null)
                                .status())
                .isEqualTo(201);
    }

    /// T-311, S-25: what all tests hold answers against is what a server serves.
    @Test
    void the_document_of_the_tests_is_the_served_one() {
        assertThat(get("/v1/schema").text())
                .isEqualTo(new String(CatalogueCheck.OPENAPI, StandardCharsets.UTF_8));
    }

    /// T-302: the name of the provider is the server's to say.
    @Test
    void the_provider_is_named_throughout() {
        var documents =
                new Documents(Facts.of(Doors.ALL, Doors.LIMITS, Plans.PUBLISHED, "Tally", "1"));
        assertThat(new String(documents.capabilities(), StandardCharsets.UTF_8))
                .contains("\"payment_provider\":\"Tally\"", "one-time Tally purchase")
                .doesNotContain("\"PayPal\"", "one-time PayPal", "approval on PayPal");
    }

    /// T-019, T-312: every link of the manifest answers.
    @Test
    void every_link_of_the_manifest_leads_somewhere() {
        Reply manifest = get("/.well-known/agent.json");
        assertThat(manifest.text("/name")).isEqualTo("orchestrion");
        assertThat(manifest.text("/version")).isEqualTo("1");
        assertThat(manifest.text("/authentication/scheme")).isEqualTo("Bearer");
        assertThat(manifest.at("/links").values())
                .extracting(link -> link.get("rel").asString())
                .contains("capabilities", "tool", "schema", "registration", "health", "llms");
        for (JsonNode link : manifest.at("/links")) {
            Reply reply =
                    server.anonymous()
                            .send(link.get("method").asString(), link.get("href").asString(), null);
            assertThat(reply.status())
                    .as(link.toString())
                    .isEqualTo(link.get("rel").asString().equals("registration") ? 201 : 200);
        }
    }

    /// The fields that A2A 1.0 requires of a card are there, and no interface that is not spoken.
    @Test
    void the_card_has_the_form_of_a2a_and_promises_no_interface() {
        JsonNode card = get("/.well-known/agent-card.json").body();
        assertThat(card.propertyNames())
                .contains(
                        "name",
                        "description",
                        "supportedInterfaces",
                        "version",
                        "capabilities",
                        "defaultInputModes",
                        "defaultOutputModes",
                        "skills");
        assertThat(card.get("supportedInterfaces").size()).isZero();
        // Fields of older versions, by which a client would try to call us.
        assertThat(card.propertyNames())
                .doesNotContain("url", "preferredTransport", "additionalInterfaces");
        assertThat(card.get("capabilities").values()).noneMatch(JsonNode::asBoolean);
        for (JsonNode skill : card.get("skills")) {
            assertThat(skill.propertyNames()).contains("id", "name", "description", "tags");
            assertThat(skill.get("tags").size()).isPositive();
        }
    }

    /// Every endpoint and every error is on the page, and its links answer.
    @Test
    void the_page_for_language_models_names_everything() {
        String page = get("/llms.txt").text();
        assertThat(page).startsWith("# Orchestrion\n\n> ");
        Doors.CATALOGUE
                .ofDoor("tasks")
                .forEach(
                        each ->
                                assertThat(page)
                                        .contains(
                                                "`"
                                                        + each.method()
                                                        + " "
                                                        + each.colonPath()
                                                        + "`: "
                                                        + each.summary()));
        page.lines()
                .filter(line -> line.startsWith("- ["))
                .map(line -> line.replaceAll(".*]\\((.*)\\).*", "$1"))
                .forEach(path -> assertThat(get(path).status()).as(path).isEqualTo(200));
    }
}
