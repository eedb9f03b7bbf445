package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;

import java.util.List;
import java.util.UUID;

/// Steps as an engine hands them in, and what an engine does to them. Workers claim them as tasks,
/// by the type `step`.
record EngineSteps(Kernel kernel, UUID account) {
    UUID created() {
        var draft =
                NewWork.of(account, Profiles.STEPS, "step", "{\"n\":1}").correlated("execution-7");
        Submitted made = kernel.work().submit(Submission.of(draft));
        return ((Submitted.Created) made).view().item().id();
    }

    void pause(UUID id, boolean wanted) {
        order(id, new Command.AskPause(wanted));
    }

    /// Takes the lease away from whoever has it.
    void cancel(UUID id) {
        order(id, new Command.Cancel());
    }

    private void order(UUID id, Command command) {
        var order = new CommandRequest(account, Profiles.STEPS, id, command, false);
        assertThat(kernel.work().command(order)).isInstanceOf(Ack.Applied.class);
    }

    /// What holders said after the end, as JSON.
    List<String> lateReports(UUID id) {
        return kernel.work().history(account, id).stream()
                .filter(HistoryEntry::late)
                .map(HistoryEntry::detail)
                .toList();
    }
}
