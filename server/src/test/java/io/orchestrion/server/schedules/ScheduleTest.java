package io.orchestrion.server.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Making, changing and reading schedules.
class ScheduleTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final ScheduleApi mine = ScheduleApi.on(server);

    /// The next test moves the clock, and these would all be due.
    @AfterEach
    void clear() {
        server.database().execute("delete from schedule");
    }

    private static void refused(Reply reply, int status, String error, String words) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(error);
        assertThat(reply.text("/message")).contains(words);
    }

    @Test
    void a_new_schedule_shows_all_that_it_will_do() {
        Reply made = mine.tryCreate("Nightly_report.v1-a", "\"cron\":\"30 2 * * *\"");
        assertThat(made.status()).isEqualTo(201);
        String id = made.text("/schedule/id");
        assertThat(made.header("Location")).isEqualTo("/v1/schedules/" + id);
        JsonNode schedule = made.at("/schedule");
        assertThat(schedule.get("name").asString()).isEqualTo("Nightly_report.v1-a");
        assertThat(schedule.get("status").asString()).isEqualTo("active");
        assertThat(schedule.get("cron").asString()).isEqualTo("30 2 * * *");
        assertThat(schedule.get("everySeconds").isNull()).isTrue();
        assertThat(schedule.get("timezone").asString()).isEqualTo("UTC");
        assertThat(schedule.get("catchUp").asString()).isEqualTo("latest");
        assertThat(schedule.get("catchUpMax").asInt()).isEqualTo(100);
        assertThat(schedule.get("catchUpWithinSeconds").asInt()).isEqualTo(60);
        assertThat(schedule.get("overlap").asString()).isEqualTo("allow");
        assertThat(schedule.get("jitterSeconds").asInt()).isZero();
        assertThat(schedule.get("paused").asBoolean()).isFalse();
        assertThat(schedule.get("task"))
                .hasToString(
                        "{\"type\":\"tick\",\"payload\":{\"n\":1},\"priority\":0,\"maxAttempts\":3,"
                                + "\"leaseDurationSeconds\":300}");
        Instant now = Instant.parse(made.text("/schedule/createdAt"));
        Instant next = Instant.parse(made.text("/schedule/nextFireAt"));
        assertThat(next).isAfter(now).isBeforeOrEqualTo(now.plus(Duration.ofDays(1)));
        assertThat(next.toString()).endsWith("T02:30:00Z");
        assertThat(made.at("/schedule/upcoming").values())
                .extracting(each -> Instant.parse(each.asString()))
                .containsExactly(
                        next,
                        next.plus(Duration.ofDays(1)),
                        next.plus(Duration.ofDays(2)),
                        next.plus(Duration.ofDays(3)),
                        next.plus(Duration.ofDays(4)));
        for (String never :
                List.of(
                        "lastFireAt",
                        "lastTaskId",
                        "lastFailureAt",
                        "lastFailureReason",
                        "bufferedFireAt",
                        "startAt",
                        "endAt")) {
            assertThat(schedule.get(never).isNull()).as(never).isTrue();
        }
        for (String none : List.of("fired", "missed", "skipped", "failed")) {
            assertThat(schedule.get(none).asInt()).as(none).isZero();
        }
        assertThat(mine.get(id).at("/schedule")).isEqualTo(schedule);
    }

    @Test
    void the_times_are_those_of_its_time_zone() {
        Reply tokyo = mine.tryCreate("tokyo", "\"cron\":\"0 9 * * *\",\"timezone\":\"Asia/Tokyo\"");
        assertThat(tokyo.text("/schedule/nextFireAt")).endsWith("T00:00:00.000Z");
        Reply kolkata =
                mine.tryCreate("kolkata", "\"cron\":\"@daily\",\"timezone\":\"Asia/Kolkata\"");
        assertThat(kolkata.text("/schedule/nextFireAt")).endsWith("T18:30:00.000Z");
    }

    @Test
    void a_name_is_free_only_once_so_that_a_repeated_create_is_safe() {
        String id = mine.create("once", "\"cron\":\"@daily\"");
        refused(mine.tryCreate("once", "\"cron\":\"@daily\""), 409, "schedule_exists", "name");
        String other = mine.create("other", "\"cron\":\"@daily\"");
        refused(
                mine.replace(other, ScheduleApi.body("once", "\"cron\":\"@daily\"")),
                409,
                "schedule_exists",
                "name");
        assertThat(mine.replace(id, ScheduleApi.body("once", "\"cron\":\"@weekly\"")).status())
                .isEqualTo(200);
        List<Reply> twins =
                Parallel.run(8, _ -> () -> mine.tryCreate("twin", "\"cron\":\"@daily\""));
        assertThat(twins).extracting(Reply::status).containsOnlyOnce(201).contains(409);
        mine.delete(id);
        mine.create("once", "\"cron\":\"@daily\"");
        ScheduleApi.on(server).create("once", "\"cron\":\"@daily\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}                                                | name is required
                    {"name":"",TASK}                                  | name must be 1 to 200 characters long
                    {"name":"a b","cron":"@daily",TASK}               | name must match ^[A-Za-z0-9._-]+$
                    {"name":"n",TASK}                                 | cron or everySeconds must be given, and not both
                    {"name":"n","cron":"@daily","everySeconds":5,TASK}| cron or everySeconds must be given, and not both
                    {"name":"n","cron":"",TASK}                       | cron must be 1 to 200 characters long
                    {"name":"n","cron":5,TASK}                        | cron must be a string
                    {"name":"n","cron":"* * * *",TASK}                | cron must have 5 fields
                    {"name":"n","cron":"61 * * * *",TASK}             | cron has a bad minute "61": must be from 0 to 59
                    {"name":"n","cron":"0 0 30 2 *",TASK}             | cron has no time within 5 years
                    {"name":"n","cron":"@yearly",TASK}                | cron must be one of @hourly, @daily, @weekly, @monthly
                    {"name":"n","everySeconds":0,TASK}                | everySeconds must be an integer from 1 to 2678400
                    {"name":"n","everySeconds":2678401,TASK}          | everySeconds must be an integer from 1 to 2678400
                    {"name":"n","everySeconds":1.5,TASK}              | everySeconds must be an integer from 1 to 2678400
                    {"name":"n","cron":"@daily","timezone":"Berlin",TASK}  | timezone must be a name of the IANA time zones
                    {"name":"n","cron":"@daily","timezone":"+01:00",TASK}  | timezone must be a name of the IANA time zones
                    {"name":"n","cron":"@daily","timezone":"",TASK}        | timezone must be 1 to 64 characters long
                    {"name":"n","cron":"@daily","catchUp":"some",TASK}     | catchUp must be one of skip, latest, all
                    {"name":"n","cron":"@daily","catchUpMax":0,TASK}       | catchUpMax must be an integer from 1 to 1000
                    {"name":"n","cron":"@daily","catchUpMax":1001,TASK}    | catchUpMax must be an integer from 1 to 1000
                    {"name":"n","cron":"@daily","catchUpWithinSeconds":0,TASK}    | catchUpWithinSeconds must be an integer from 1 to 3600
                    {"name":"n","cron":"@daily","catchUpWithinSeconds":3601,TASK} | catchUpWithinSeconds must be an integer from 1 to 3600
                    {"name":"n","cron":"@daily","overlap":"queue",TASK}    | overlap must be one of allow, skip, cancel_previous, buffer_one
                    {"name":"n","cron":"@daily","jitterSeconds":-1,TASK}   | jitterSeconds must be an integer from 0 to 3600
                    {"name":"n","cron":"@daily","jitterSeconds":3601,TASK} | jitterSeconds must be an integer from 0 to 3600
                    {"name":"n","cron":"@daily","startAt":"soon",TASK}     | startAt must be an ISO 8601
                    {"name":"n","cron":"@daily","startAt":"2199-01-01T00:00:00Z",TASK} | startAt must be within 5 years of now
                    {"name":"n","cron":"@daily","endAt":"2020-01-01T00:00:00Z",TASK}   | endAt must be ahead
                    {"name":"n","cron":"@daily","paused":"no",TASK}        | paused
                    {"name":"n","cron":"@daily","id":"x",TASK}             | is not a known field
                    {"name":"n","cron":"@daily","nextFireAt":null,TASK}    | is not a known field
                    {"name":"n","cron":"@daily"}                           | task is required
                    {"name":"n","cron":"@daily","task":{}}                 | task.type is required
                    {"name":"n","cron":"@daily","task":{"type":"t"}}       | task.payload is required
                    {"name":"n","cron":"@daily","task":{"type":"a b","payload":{}}}                   | task.type must match
                    {"name":"n","cron":"@daily","task":{"type":"t","payload":[]}}                     | task.payload must be a JSON object
                    {"name":"n","cron":"@daily","task":{"type":"t","payload":{},"priority":101}}      | task.priority must be an integer from 0 to 100
                    {"name":"n","cron":"@daily","task":{"type":"t","payload":{},"maxAttempts":11}}    | task.maxAttempts must be an integer from 1 to 10
                    {"name":"n","cron":"@daily","task":{"type":"t","payload":{},"leaseDurationSeconds":29}} | task.leaseDurationSeconds must be an integer from 30 to 3600
                    {"name":"n","cron":"@daily","task":{"type":"t","payload":{},"scheduledAt":"2030-01-31T08:30:00Z"}} | task.scheduledAt is set by the schedule
                    """)
    void a_bad_definition_names_the_field_and_its_bound_and_makes_nothing(
            String body, String words) {
        String full = body.replace("TASK", ScheduleApi.TASK);
        refused(mine.api().post(ScheduleApi.PATH, full), 400, "invalid_request", words);
        assertThat(mine.api().get(ScheduleApi.PATH).at("/schedules").size()).isZero();
        String id = mine.create("there", "\"cron\":\"@daily\"");
        String before = mine.get(id).at("/schedule").toString();
        refused(mine.replace(id, full), 400, "invalid_request", words);
        assertThat(mine.get(id).at("/schedule")).hasToString(before);
    }

    @Test
    void the_bounds_themselves_are_allowed() {
        mine.create("n".repeat(200), "\"everySeconds\":1");
        refused(
                mine.tryCreate("n".repeat(201), "\"everySeconds\":1"),
                400,
                "invalid_request",
                "name must be 1 to 200 characters long");
        mine.create(
                "most",
                "\"everySeconds\":2678400,\"catchUp\":\"all\",\"catchUpMax\":1000,"
                        + "\"catchUpWithinSeconds\":3600,\"jitterSeconds\":3600");
        String payload = "{\"a\":\"" + "x".repeat(64 * 1024 - 8) + "\"}";
        String body = "{\"name\":\"big\",\"everySeconds\":1,\"task\":{\"type\":\"t\",\"payload\":";
        assertThat(mine.api().post(ScheduleApi.PATH, body + payload + "}}").status())
                .isEqualTo(201);
        refused(
                mine.api().post(ScheduleApi.PATH, body + payload.replace("x\"", "xx\"") + "}}"),
                400,
                "invalid_request",
                "task.payload");
    }

    @Test
    void an_end_must_leave_room_for_a_fire_and_come_after_the_start() {
        Instant now =
                Instant.parse(
                        mine.tryCreate("a", "\"everySeconds\":1").text("/schedule/createdAt"));
        String soon = "\"everySeconds\":3600,\"endAt\":\"%s\"".formatted(now.plusSeconds(1800));
        refused(
                mine.tryCreate("n", soon),
                400,
                "invalid_request",
                "endAt is before the first time");
        String turned =
                "\"everySeconds\":60,\"startAt\":\"%s\",\"endAt\":\"%s\""
                        .formatted(now.plusSeconds(600), now.plusSeconds(500));
        refused(mine.tryCreate("n", turned), 400, "invalid_request", "endAt must be after startAt");
        Reply started =
                mine.tryCreate(
                        "n",
                        "\"everySeconds\":60,\"startAt\":\"%s\",\"endAt\":\"%s\""
                                .formatted(now.plusSeconds(600), now.plusSeconds(720)));
        assertThat(started.at("/schedule/upcoming").values())
                .extracting(each -> Instant.parse(each.asString()))
                .containsExactly(now.plusSeconds(600), now.plusSeconds(660), now.plusSeconds(720));
    }

    @Test
    void lists_go_page_by_page_newest_first() {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(mine.create("s" + i, "\"cron\":\"@daily\""));
        }
        var seen = new ArrayList<String>();
        String cursor = "";
        do {
            Reply page = mine.api().get(ScheduleApi.PATH + "?limit=2" + cursor);
            page.at("/schedules").values().forEach(each -> seen.add(each.get("id").asString()));
            cursor = "&cursor=" + page.text("/nextCursor");
        } while (!cursor.equals("&cursor="));
        assertThat(seen).isEqualTo(ids);
        for (String bad : List.of("limit=0", "limit=101", "cursor=x", "cursor=MTp4")) {
            refused(
                    mine.api().get(ScheduleApi.PATH + "?" + bad),
                    400,
                    "invalid_request",
                    bad.substring(0, bad.indexOf('=')));
        }
    }

    @Test
    void an_account_has_a_thousand_schedules_and_no_more() {
        String first = mine.create("first", "\"cron\":\"@daily\"");
        server.database()
                .execute(
                        """
                        insert into schedule
                        select (jsonb_populate_record(s, jsonb_build_object(
                                 'schedule_id', gen_random_uuid(), 'name', 'copy-' || n))).*
                          from schedule s, generate_series(1, 999) n
                         where s.account_id = ?::uuid and s.schedule_id = ?::uuid
                        """,
                        mine.account().accountId(),
                        first);
        refused(
                mine.tryCreate("more", "\"cron\":\"@daily\""),
                400,
                "invalid_request",
                "An account may have 1000 schedules and has that many; delete one first.");
        mine.delete(first);
        mine.create("more", "\"cron\":\"@daily\"");
        ScheduleApi.on(server).create("more", "\"cron\":\"@daily\"");
    }

    @Test
    void a_replaced_schedule_keeps_its_counts_and_goes_by_its_new_times() {
        String id = mine.hourly("");
        mine.after(Duration.ofSeconds(3601));
        Reply replaced =
                mine.replace(
                        id,
                        """
                        {"name":"renamed","cron":"0 0 * * *","timezone":"Europe/Berlin",
                         "overlap":"cancel_previous","jitterSeconds":5,"catchUp":"all","catchUpMax":7,
                         "catchUpWithinSeconds":9,
                         "task":{"type":"tock","payload":{},"priority":9,"maxAttempts":1,
                                 "leaseDurationSeconds":30}}
                        """);
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
        JsonNode now = replaced.at("/schedule");
        assertThat(now.get("id").asString()).isEqualTo(id);
        assertThat(now.get("name").asString()).isEqualTo("renamed");
        assertThat(now.get("everySeconds").isNull()).isTrue();
        assertThat(now.get("fired").asInt()).isEqualTo(1);
        assertThat(now.get("overlap").asString()).isEqualTo("cancel_previous");
        assertThat(now.get("catchUp").asString()).isEqualTo("all");
        assertThat(now.get("catchUpMax").asInt()).isEqualTo(7);
        assertThat(now.get("catchUpWithinSeconds").asInt()).isEqualTo(9);
        assertThat(now.get("jitterSeconds").asInt()).isEqualTo(5);
        assertThat(now.get("task"))
                .hasToString(
                        "{\"type\":\"tock\",\"payload\":{},\"priority\":9,\"maxAttempts\":1,"
                                + "\"leaseDurationSeconds\":30}");
        assertThat(now.get("nextFireAt").asString()).matches(".*T2[23]:00:00.000Z");
        assertThat(mine.fires(id)).hasSize(1);
        mine.after(Duration.ofDays(1));
        assertThat(mine.tasks().getFirst().get("type").asString()).isEqualTo("tock");
        assertThat(mine.tasks().getFirst().get("priority").asInt()).isEqualTo(9);
    }

    /// A change of the payload at the wrong moment must not cost a fire.
    @Test
    void what_is_due_stays_due_when_only_other_things_are_replaced() {
        String id = mine.hourly("");
        String next = mine.get(id).text("/schedule/nextFireAt");
        server.clock().advance(Duration.ofSeconds(3601));
        mine.replace(id, ScheduleApi.body("hourly", "\"everySeconds\":3600,\"overlap\":\"skip\""));
        assertThat(mine.get(id).text("/schedule/nextFireAt")).isEqualTo(next);
        mine.sweep();
        assertThat(mine.get(id).text("/schedule/lastFireAt")).isEqualTo(next);
        // Paused by replacing, too, and only then.
        String body = ScheduleApi.body("hourly", "\"everySeconds\":3600,\"paused\":true");
        assertThat(mine.replace(id, body).text("/schedule/status")).isEqualTo("paused");
        body = ScheduleApi.body("hourly", "\"everySeconds\":3600");
        assertThat(mine.replace(id, body).text("/schedule/status")).isEqualTo("paused");
        body = ScheduleApi.body("hourly", "\"everySeconds\":3600,\"paused\":false");
        Reply resumed = mine.replace(id, body);
        assertThat(resumed.text("/schedule/status")).isEqualTo("active");
        // The rhythm is still that of the first moment.
        assertThat(Instant.parse(resumed.text("/schedule/nextFireAt")))
                .isEqualTo(Instant.parse(next).plusSeconds(3600));
    }

    @Test
    void deleting_a_schedule_leaves_its_tasks() {
        String id = mine.hourly("");
        mine.after(Duration.ofSeconds(3601));
        String task = mine.get(id).text("/schedule/lastTaskId");
        Reply deleted = mine.delete(id);
        assertThat(deleted.text("/schedule/name")).isEqualTo("hourly");
        refused(mine.get(id), 404, "schedule_not_found", "no such schedule");
        refused(mine.delete(id), 404, "schedule_not_found", "no such schedule");
        assertThat(mine.account().status(task)).isEqualTo("pending");
        mine.after(Duration.ofHours(2));
        assertThat(mine.tasks()).hasSize(1);
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from schedule_fire where schedule_id ="
                                                + " ?::uuid",
                                        id))
                .isZero();
    }

    private List<Reply> aboutOne(Api api, String id) {
        String one = ScheduleApi.PATH + "/" + id;
        return List.of(
                api.get(one),
                api.get(one + "/fires"),
                api.send("PUT", one, ScheduleApi.body("x", "\"cron\":\"@daily\"")),
                api.post(one + "/pause"),
                api.post(one + "/resume"),
                api.post(one + "/run"),
                api.send("DELETE", one, null));
    }

    /// A schedule is of one account, as its tasks are, whose own test is in IsolationTest.
    @Test
    void a_stranger_finds_and_changes_nothing() {
        String id = mine.create("private", "\"cron\":\"@daily\"");
        String before = mine.get(id).at("/schedule").toString();
        ScheduleApi stranger = ScheduleApi.on(server);
        String theirs = stranger.create("private", "\"cron\":\"@daily\"");
        List<String> unknown =
                aboutOne(stranger.api(), UUID.randomUUID().toString()).stream()
                        .map(reply -> reply.text("/message") + reply.status())
                        .toList();
        for (Reply reply : aboutOne(stranger.api(), id)) {
            refused(reply, 404, "schedule_not_found", "no such schedule");
            assertThat(reply.text("/message")).doesNotContain(id);
        }
        assertThat(aboutOne(stranger.api(), id))
                .extracting(reply -> reply.text("/message") + reply.status())
                .isEqualTo(unknown);
        assertThat(mine.get(id).at("/schedule")).hasToString(before);
        assertThat(mine.fires(id)).isEmpty();
        assertThat(mine.tasks()).isEmpty();
        assertThat(stranger.api().get(ScheduleApi.PATH).at("/schedules").values())
                .extracting(each -> each.get("id").asString())
                .containsExactly(theirs);
        for (int i = 0; i < 3; i++) {
            mine.verb(id, "run");
        }
        String cursor =
                mine.api().get(ScheduleApi.PATH + "/" + id + "/fires?limit=1").text("/nextCursor");
        assertThat(
                        stranger.api()
                                .get(ScheduleApi.PATH + "/" + theirs + "/fires?cursor=" + cursor)
                                .at("/fires")
                                .size())
                .isZero();
        assertThat(stranger.tasks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "01970000-0000-7000-8000-00000000000"})
    void what_is_no_id_is_not_found(String id) {
        for (Reply reply : aboutOne(mine.api(), id)) {
            refused(reply, 404, "schedule_not_found", "no such schedule");
        }
    }

    /// L-019: producers, operators and admins change; every key reads.
    @ParameterizedTest
    @CsvSource({"producer, true", "operator, true", "admin, true", "worker, false"})
    void who_may_change_schedules(String scope, boolean may) {
        String id = mine.create("scoped", "\"cron\":\"@daily\"");
        Reply key =
                mine.api()
                        .post("/v1/keys", "{\"name\":\"k\",\"scopes\":[\"%s\"]}".formatted(scope));
        Api by = server.anonymous().withKey(key.text("/apiKey"));
        assertThat(by.get(ScheduleApi.PATH).status()).isEqualTo(200);
        assertThat(by.get(ScheduleApi.PATH + "/" + id).status()).isEqualTo(200);
        assertThat(by.get(ScheduleApi.PATH + "/" + id + "/fires").status()).isEqualTo(200);
        var changes = new ArrayList<Reply>();
        changes.add(by.post(ScheduleApi.PATH, ScheduleApi.body("n", "\"cron\":\"@daily\"")));
        changes.addAll(aboutOne(by, id).subList(2, 7));
        if (may) {
            assertThat(changes).allMatch(reply -> reply.status() / 100 == 2);
        } else {
            assertThat(changes).allMatch(reply -> reply.error().equals("insufficient_scope"));
        }
    }
}
