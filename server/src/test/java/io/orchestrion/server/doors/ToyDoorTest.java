package io.orchestrion.server.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.settings.SettingsCatalogue;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What CONTRIBUTING says of adding a door is enough: a plug in the list, and nothing else.
@Timeout(180)
class ToyDoorTest {
    private static List<DoorPlug> withToys(boolean gated) {
        var all = new ArrayList<DoorPlug>(Doors.ALL);
        all.add(new ToyPlug(gated));
        return List.copyOf(all);
    }

    private static ServerOptions opened(ServerOptions options, boolean gated, Settings settings) {
        List<DoorPlug> doors = withToys(gated);
        ServerOptions opened = options.withDoors(doors);
        return doors.getLast().configured(opened, settings);
    }

    private static TestServer server(boolean gated, String colour) throws Exception {
        SettingsCatalogue catalogue = Doors.settings(withToys(gated));
        Settings settings = catalogue.of(Map.of(ToyPlug.TOYS_COLOUR, colour));
        return new TestServer(
                options -> options.withSubjects(List.of(ToyPlug.TOY)),
                options -> opened(options, gated, settings));
    }

    /// Not those of the published document, which has no toys.
    private static Api api(TestServer server) {
        return Api.on(server.port(), (_, _, _) -> {});
    }

    private static String key(TestServer server, String plan) {
        return server.kernel().kernel().identity().register("toys", plan).key().reveal();
    }

    private static void refusedInItsWords(Reply reply, int status, String why) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.text("/code")).isEqualTo("toy_refused");
        assertThat(reply.text("/detail")).isEqualTo(why);
    }

    @Test
    void it_answers_refuses_and_misses_in_its_own_words() throws Exception {
        try (TestServer server = server(true, "blue")) {
            Api keyed = api(server).withKey(key(server, Plan.UNLIMITED_ID));
            Reply seen = keyed.get("/toys");
            assertThat(seen.status()).as(seen.text()).isEqualTo(200);
            assertThat(seen.text("/colour")).as("its setting").isEqualTo("blue");
            assertThat(keyed.post("/toys", "{\"name\":\"top\"}").status()).isEqualTo(201);

            refusedInItsWords(api(server).get("/toys"), 401, "Toys are for those with a key.");
            refusedInItsWords(keyed.get("/toys/none/here"), 404, "There is no such toy.");
            refusedInItsWords(
                    keyed.send("DELETE", "/toys", null),
                    405,
                    "Toys are not played with like this.");
            assertThat(keyed.post("/toys", "{}").text("/code")).isEqualTo("toy_refused");
            assertThat(keyed.get("/unknown").text())
                    .as("a path outside its root")
                    .doesNotContain("toy");
        }
    }

    @Test
    void its_limit_counts_and_its_events_can_be_asked_for() throws Exception {
        try (TestServer server = server(true, "red")) {
            Api free = api(server).withKey(key(server, Plan.FREE_ID));
            for (int i = 0; i < 3; i++) {
                assertThat(free.get("/toys").status()).isEqualTo(200);
            }
            Reply fourth = free.get("/toys");
            assertThat(fourth.status()).isEqualTo(429);
            assertThat(fourth.text("/code")).isEqualTo("toy_refused");
            assertThat(fourth.text("/detail")).contains("Toy endpoints");
            assertThat(server.webhooks().eventNames()).contains("toy.made");

            Api keyed = api(server).withKey(key(server, Plan.UNLIMITED_ID));
            keyed.post("/toys", "{\"name\":\"top\"}");
            assertThat(server.database().rows("select event from subject_event"))
                    .singleElement()
                    .satisfies(row -> assertThat(row.get("event")).isEqualTo("made"));
        }
    }

    @Test
    void it_is_in_the_documents_the_limits_and_the_settings() throws Exception {
        try (TestServer server = server(true, "red")) {
            Reply schema = api(server).get("/v1/schema");
            assertThat(schema.at("/paths/~1toys/get/operationId").asString()).isEqualTo("listToys");
            assertThat(schema.at("/paths/~1toys/post/operationId").asString()).isEqualTo("makeToy");
            assertThat(schema.text()).contains("ToyProblem", "Everything under /toys.");
            assertThat(schema.at("/paths/~1v1~1tasks/post/operationId").asString())
                    .as("the other doors are still there")
                    .isEqualTo("createTask");
        }
        assertThat(Doors.limits(withToys(true)).named("toys")).isEqualTo(ToyPlug.LIMIT);
        SettingsCatalogue catalogue = Doors.settings(withToys(true));
        assertThat(catalogue.ofKey("toys-colour")).isEqualTo(ToyPlug.TOYS_COLOUR);
        Settings wrong = catalogue.of(Map.of(ToyPlug.TOYS_COLOUR, "green"));
        assertThat(wrong.faults(ToyPlug.NAME)).singleElement().asString().contains("red or blue");
        assertThat(wrong.warnings()).anyMatch(line -> line.startsWith("the toys door is shut"));
    }

    @Test
    void without_gates_the_server_does_not_start() {
        assertThatThrownBy(() -> server(false, "red").close())
                .hasMessageContaining("The door toys has no gates");
    }
}
