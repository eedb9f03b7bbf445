package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class RoutingTest {
    private final Router router = new Fixture().router();

    private String matched(String method, String path) {
        return switch (router.match(method, path)) {
            case Router.Match.Found found -> found.endpoint().name() + found.pathParameters();
            case Router.Match.WrongMethod wrong -> "405" + wrong.allowed();
            case Router.Match.Unknown() -> "404";
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /v1/things                 | listThings{}",
                "POST   | /v1/things                 | createThing{}",
                "HEAD   | /v1/things                 | listThings{}",
                "DELETE | /v1/things                 | 405[GET, HEAD, POST]",
                "OPTIONS| /v1/things                 | 405[GET, HEAD, POST]",
                "TRACE  | /v1/things                 | 405[GET, HEAD, POST]",
                "get    | /v1/things                 | 405[GET, HEAD, POST]",
                "GET    | /v1/things/7               | readThing{id=7}",
                "GET    | /v1/things/a%20b%C3%A9     | readThing{id=a bé}",
                "GET    | /v1/things/a+b             | readThing{id=a+b}",
                "GET    | /v1/things/a;b=c           | readThing{id=a;b=c}",
                "POST   | /v1/things/claim           | claimAny{}",
                "GET    | /v1/things/claim           | 405[POST]",
                "POST   | /v1/things/%63laim         | claimAny{}",
                "POST   | /v1/things/7/claim         | claimOne{thing=7}",
                "POST   | /v1/things/7/heartbeat     | beat{id=7}",
                "GET    | /v1/things/7/heartbeat     | 405[POST]",
                "POST   | /v1/things/claim/claim     | 404",
                "GET    | /                          | 404",
                "GET    | /v1                        | 404",
                "GET    | /v1/things/7/8/9           | 404"
            })
    void a_request_is_matched_literal_before_parameter(
            String method, String path, String expected) {
        assertThat(matched(method, path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/things/",
                "//v1/things",
                "/v1//things",
                "/v1/things//",
                "/v1/./things",
                "/v1/x/../things",
                "/v1/things/..",
                "/v1/things/%2e%2e",
                "/v1/things/%2E",
                "/v1/things/%",
                "/v1/things/%4",
                "/v1/things/%zz",
                "/v1/things/%c3",
                "/v1/things/%ff",
                "/v1/things/%00",
                "/v1/things/%0a",
                "/v1/things/%7f",
                "/v1/things/a%2fb",
                "/v1/things/%ED%A0%80",
                "/v1/things/%C0%AF",
                "",
                "*",
                "v1/things",
                "host:443",
                "/v1/things/\u00e9",
                "/v1/things/%\uff11\uff11"
            })
    void a_path_that_is_not_clean_is_not_found(String path) {
        assertThat(matched("GET", path)).isEqualTo("404");
    }

    @Test
    void the_door_that_owns_a_path_words_its_refusal() {
        assertThat(router.doorOf("/v1/nothing").name()).isEqualTo("things");
        assertThat(router.doorOf("/other/nothing").name()).isEqualTo("other");
        assertThat(router.doorOf("/elsewhere").name()).isEqualTo("default");
    }

    @Test
    void an_absolute_target_is_reduced_to_its_path() {
        assertThat(Pipeline.originForm("http://host:80/v1/things")).isEqualTo("/v1/things");
        assertThat(Pipeline.originForm("https://host")).isEqualTo("/");
        assertThat(Pipeline.originForm("ftp://host/x")).isEqualTo("ftp://host/x");
    }

    @Test
    void a_catalogue_refuses_two_endpoints_with_one_name_or_one_shape() {
        Endpoint one = Endpoint.get("one", "/a/{x}").build();
        assertThatThrownBy(() -> new Catalogue(List.of(one, Endpoint.get("one", "/b").build())))
                .hasMessageContaining("named one");
        assertThatThrownBy(() -> new Catalogue(List.of(one, Endpoint.get("two", "/a/{y}").build())))
                .hasMessageContaining("same requests");
        assertThat(new Catalogue(List.of(one, Endpoint.post("two", "/a/{y}").build())).endpoints())
                .hasSize(2);
    }

    @Test
    void a_catalogue_is_looked_up_by_name_and_door() {
        assertThat(Fixture.CATALOGUE.named("boom")).contains(Fixture.BOOM);
        assertThat(Fixture.CATALOGUE.named("bang")).isEmpty();
        assertThat(Fixture.CATALOGUE.ofDoor("other")).containsExactly(Fixture.BOOM, Fixture.LARGE);
        assertThat(Fixture.CLAIM_ONE.pathParameters()).containsExactly("thing");
    }

    @Test
    void a_door_without_gates_is_refused_unless_it_is_open_on_purpose() {
        Endpoint one = Endpoint.get("one", "/one").door("d").build();
        Router.Builder router =
                Router.of(new Catalogue(List.of(one)))
                        .door(new Fixture.PlainDoor("d", "/"))
                        .handle(one, _ -> Answer.empty(200));
        assertThatThrownBy(router::build).hasMessageContaining("The door d has no gates");
        assertThatThrownBy(() -> router.gates("d", List.of()).build())
                .as("no gates at all are none")
                .hasMessageContaining("The door d has no gates");
        router.openToAll("d").build();
    }

    @Test
    void a_router_needs_a_handler_and_a_door_for_every_endpoint() {
        var door = new Fixture.PlainDoor("d", "/");
        Endpoint one = Endpoint.get("one", "/a").door("d").build();
        Endpoint lost = Endpoint.get("lost", "/b").door("nowhere").build();
        assertThatThrownBy(() -> Router.of(new Catalogue(List.of(one))).door(door).build())
                .hasMessageContaining("one has no handler");
        assertThatThrownBy(
                        () ->
                                Router.of(new Catalogue(List.of(lost)))
                                        .door(door)
                                        .handle(lost, call -> Answer.empty(204))
                                        .build())
                .hasMessageContaining("unknown door");
        assertThatThrownBy(
                        () ->
                                Router.of(new Catalogue(List.of(one)))
                                        .door(door)
                                        .handle(lost, call -> Answer.empty(204)))
                .hasMessageContaining("no endpoint lost");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "/a/", "/a//b", "/a/{}", "/{x}/{x}", "/a b", "/{a", "/a/..%2f"})
    void a_template_that_is_not_clean_is_refused(String path) {
        assertThatThrownBy(() -> Endpoint.get("e", path).build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void query_strings_are_decoded_strictly_and_in_order() {
        assertThat(Percent.query("a=1&b=x%20y+z&a=2&&c&d=&%C3%A9=%26"))
                .hasToString("{a=[1, 2], b=[x y z], c=[], d=[], é=[&]}");
        for (String bad :
                List.of("a=%", "a=%4", "a=%zz", "%ff=1", "a=%00", "a=b\u00e9", "a=%0d%0a")) {
            assertThat(Percent.query(bad)).as(bad).isNull();
        }
    }
}
