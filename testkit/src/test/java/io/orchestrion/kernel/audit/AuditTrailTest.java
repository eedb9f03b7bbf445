package io.orchestrion.kernel.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.testkit.TestKernel;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/// The audit by time: what people did, and what an engine did by itself.
class AuditTrailTest {
    private static final SubjectKind TRIP =
            new SubjectKind("trip", "trips", List.of("begun", "passed", "over"), List.of("on"));

    private final TestKernel test = new TestKernel(options -> options.withSubjects(List.of(TRIP)));
    private final Registration made = test.kernel().identity().register("keeper");
    private final UUID account = made.accountId();
    private final UUID trip = new UUID(7, 7);
    private int seq;

    @AfterEach
    void close() {
        test.close();
    }

    private void person(String action, Subject subject) {
        test.kernel()
                .database()
                .transaction(
                        tx -> {
                            Audit.write(
                                    tx,
                                    account,
                                    Actor.key(made.keyId()),
                                    action,
                                    subject,
                                    Detail.none().text("note", "so"));
                            return null;
                        });
    }

    private void engine(String event, boolean audited) {
        SubjectEvent told =
                SubjectEvent.of("trip", trip, ++seq, event, null, "on")
                        .with("{\"actor\":\"engine\"}", null);
        test.kernel()
                .database()
                .transaction(
                        tx -> {
                            test.kernel()
                                    .subjects()
                                    .append(
                                            tx,
                                            account,
                                            List.of(audited ? told.auditedUnder(trip) : told));
                            return null;
                        });
    }

    private TrailQuery query(boolean oldest, @Nullable String subject, @Nullable String event) {
        return new TrailQuery(account, oldest, subject, event, null, null, null, 100);
    }

    private List<String> read(TrailQuery query) {
        return test.kernel().auditTrail().read(query).entries().stream()
                .map(TrailEntry::event)
                .toList();
    }

    private void tell() {
        test.clock().advance(Duration.ofSeconds(1));
        engine("begun", true);
        test.clock().advance(Duration.ofSeconds(1));
        engine("passed", false);
        person("trip.approve", Subject.of("approval", new UUID(1, 1)).within(trip));
        test.clock().advance(Duration.ofSeconds(1));
        person("type.put", new Subject("type", "t"));
        test.clock().advance(Duration.ofSeconds(1));
        engine("over", true);
    }

    /// E-206..E-211: in the order of time, whichever it comes from.
    @Test
    void people_and_engines_are_shown_together_by_time() {
        tell();
        List<String> all =
                List.of("key.created", "trip.begun", "trip.approve", "type.put", "trip.over");
        assertThat(read(query(true, null, null))).isEqualTo(all);
        assertThat(read(query(false, null, null))).isEqualTo(new ArrayList<>(all).reversed());
        TrailEntry begun =
                test.kernel()
                        .auditTrail()
                        .read(query(true, trip.toString(), null))
                        .entries()
                        .getFirst();
        assertThat(begun.actor()).isEqualTo(Actor.server());
        assertThat(begun.subject()).isEqualTo(Subject.of("trip", trip).within(trip));
    }

    /// E-211.
    @Test
    void what_was_done_to_parts_of_a_thing_is_found_by_the_thing() {
        tell();
        assertThat(read(query(true, trip.toString(), null)))
                .containsExactly("trip.begun", "trip.approve", "trip.over");
        assertThat(read(query(true, new UUID(1, 1).toString(), null)))
                .containsExactly("trip.approve");
        assertThat(read(query(true, "t", null))).containsExactly("type.put");
        assertThat(read(query(true, "nothing", null))).isEmpty();
    }

    @Test
    void an_event_is_asked_for_by_its_name_or_the_beginning_of_it() {
        tell();
        assertThat(read(query(true, null, "trip")))
                .containsExactly("trip.begun", "trip.approve", "trip.over");
        assertThat(read(query(true, null, "trip.over"))).containsExactly("trip.over");
        assertThat(read(query(true, null, "tri"))).isEmpty();
    }

    @Test
    void a_time_bounds_what_is_shown_in_both_orders() {
        tell();
        long begun =
                test.kernel()
                        .auditTrail()
                        .read(query(true, null, "trip.begun"))
                        .entries()
                        .getFirst()
                        .place()
                        .atMs();
        long over =
                test.kernel()
                        .auditTrail()
                        .read(query(true, null, "trip.over"))
                        .entries()
                        .getFirst()
                        .place()
                        .atMs();
        for (boolean oldest : List.of(true, false)) {
            List<String> between =
                    new ArrayList<>(
                            read(
                                    new TrailQuery(
                                            account, oldest, null, null, begun, over, null, 100)));
            if (!oldest) {
                Collections.reverse(between);
            }
            assertThat(between).containsExactly("trip.begun", "trip.approve", "type.put");
        }
    }

    /// E-211: each entry is on one page, also among many of one millisecond.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pages_show_each_entry_once(boolean oldest) {
        for (int i = 0; i < 10; i++) {
            engine("begun", true);
            person("n" + i, new Subject("thing", "1"));
        }
        List<String> all = read(query(oldest, null, null));
        assertThat(all).hasSize(21);
        var paged = new ArrayList<String>();
        TrailPlace after = null;
        do {
            TrailPage page =
                    test.kernel()
                            .auditTrail()
                            .read(
                                    new TrailQuery(
                                            account, oldest, null, null, null, null, after, 4));
            paged.addAll(page.entries().stream().map(TrailEntry::event).toList());
            after = page.next();
        } while (after != null);
        assertThat(paged).isEqualTo(all);
    }

    /// A look is bounded, so that a rare event among very many costs several calls and no long one.
    @Test
    void a_rare_event_is_found_over_several_pages() {
        test.kernel()
                .database()
                .transaction(
                        tx -> {
                            var many = new ArrayList<SubjectEvent>();
                            for (int i = 0; i < 1000; i++) {
                                many.add(
                                        SubjectEvent.of("trip", trip, ++seq, "begun", null, "on")
                                                .auditedUnder(trip));
                            }
                            test.kernel().subjects().append(tx, account, many);
                            return null;
                        });
        test.kernel()
                .database()
                .transaction(
                        tx -> {
                            var many = new ArrayList<SubjectEvent>();
                            for (int i = 0; i < 999; i++) {
                                many.add(
                                        SubjectEvent.of("trip", trip, ++seq, "begun", null, "on")
                                                .auditedUnder(trip));
                            }
                            test.kernel().subjects().append(tx, account, many);
                            return null;
                        });
        test.clock().advance(Duration.ofSeconds(1));
        engine("over", true);
        TrailPage first = test.kernel().auditTrail().read(query(true, null, "trip.over"));
        assertThat(first.entries()).isEmpty();
        assertThat(first.next()).isNotNull();
        TrailPage second =
                test.kernel()
                        .auditTrail()
                        .read(
                                new TrailQuery(
                                        account,
                                        true,
                                        null,
                                        "trip.over",
                                        null,
                                        null,
                                        first.next(),
                                        100));
        assertThat(second.entries()).hasSize(1);
        assertThat(second.next()).isNull();
    }

    /// E-211.
    @Test
    void another_account_sees_nothing_of_it() {
        tell();
        UUID other = test.kernel().identity().register("other").accountId();
        assertThat(read(new TrailQuery(other, true, trip.toString(), null, null, null, null, 100)))
                .isEmpty();
        assertThat(read(new TrailQuery(other, true, null, null, null, null, null, 100)))
                .containsExactly("key.created");
    }

    /// E-211: neither part of it is changed, removed or emptied.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update audit set action = 'x'",
                "delete from audit",
                "truncate audit",
                "update subject_event set event = 'x'",
                "update subject_event set audited_under = null",
                "delete from subject_event",
                "truncate subject_event"
            })
    void the_database_refuses_to_change_what_was_written(String statement) {
        tell();
        assertThatThrownBy(() -> test.database().execute(statement))
                .rootCause()
                .hasMessageMatching(
                        "(?s).*(never changed or removed|stays as it is|is not emptied).*");
        assertThat(read(query(true, null, null))).hasSize(5);
    }
}
