package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Which lanes completions go through.
class OwnedLanesTest {
    private final LedgerOwner ledger = new LedgerOwner();
    private final WorkFixture fixture =
            new WorkFixture(options -> options.withOwners(List.of(ledger)));
    private final List<String> commits = new ArrayList<>();
    private OwnerRef owner;

    @BeforeEach
    void makeTables() {
        LedgerOwner.makeTables(fixture.database());
        owner = LedgerOwner.newOwner(fixture);
        for (String lane : List.of("holder", "settle")) {
            fixture.test.failpoints().arm(lane + ".before-commit", () -> commits.add(lane));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID submit() {
        return fixture.submit(fixture.draft(Profiles.STEPS, null, null, owner));
    }

    private void complete(Profile profile, UUID id) {
        fixture.apply(profile, id, new Command.Complete(Fence.NONE, "{}", null));
        assertThat(fixture.item(profile, id).state()).isEqualTo(WorkState.SUCCEEDED);
    }

    @Test
    void a_completion_of_an_owned_item_does_not_first_go_where_nothing_can_be_done() {
        UUID id = submit();
        fixture.claim(Profiles.STEPS);
        complete(Profiles.STEPS, id);
        assertThat(commits).containsExactly("settle");
    }

    @Test
    void a_completion_of_an_item_that_another_node_gave_out_finds_its_way() {
        UUID id = submit();
        try (Kernel other =
                fixture.test.anotherNode(o -> o.withOwners(List.of(new LedgerOwner())))) {
            assertThat(other.work().claim(fixture.wish(Profiles.STEPS, 1), Duration.ZERO).items())
                    .hasSize(1);
        }
        complete(Profiles.STEPS, id);
        assertThat(commits).containsExactly("holder", "settle");
    }

    @Test
    void what_has_no_owner_and_what_is_no_end_goes_the_short_way() {
        UUID id = submit();
        fixture.claim(Profiles.STEPS);
        fixture.apply(Profiles.STEPS, id, new Command.Heartbeat(Fence.NONE));
        UUID plain = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        complete(Profiles.TASKS, plain);
        assertThat(commits).containsExactly("holder", "holder");
    }
}
