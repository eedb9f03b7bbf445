package io.orchestrion.server.queue;

import static io.orchestrion.server.queue.QueueSpecs.PROFILE;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.InvalidBody;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.server.http.TraceContext;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// Makes work out of what a producer sent.
final class JobDrafts {
    private static final String PAYLOAD = "payload.";

    private JobDrafts() {}

    sealed interface Draft {
        record Ready(NewWork work) implements Draft {}

        record Faulty(List<BodyFault> faults) implements Draft {}
    }

    static Draft of(UUID account, Values body) {
        String payload = body.json("payload");
        try {
            Values terms = QueueSpecs.PAYLOAD_TERMS.read(payload.getBytes(StandardCharsets.UTF_8));
            String repository = terms.textOrNull("repository");
            List<String> capabilities = terms.texts("requiredCapabilities");
            // In lower case, as it is kept and compared: a few letters grow by it.
            String problem =
                    Requirements.problem(
                            repository == null ? null : repository.toLowerCase(Locale.ROOT),
                            capabilities);
            if (problem != null) {
                String field =
                        problem.contains("requiredCapabilities")
                                ? "requiredCapabilities"
                                : "repository";
                return new Draft.Faulty(
                        List.of(
                                new BodyFault(
                                        PAYLOAD + field,
                                        problem.replaceFirst(field, PAYLOAD + field),
                                        null)));
            }
            return new Draft.Ready(
                    work(account, body, payload)
                            .asking(new Requirements(repository, capabilities))
                            .traced(TraceContext.traceparent()));
        } catch (InvalidBody e) {
            return new Draft.Faulty(
                    e.faults().stream()
                            .map(
                                    fault ->
                                            new BodyFault(
                                                    PAYLOAD + fault.field(),
                                                    PAYLOAD + fault.message(),
                                                    fault.bound()))
                            .toList());
        }
    }

    private static NewWork work(UUID account, Values body, String payload) {
        return NewWork.of(account, PROFILE, body.text("type"), payload)
                .prioritised(body.int32("priority"))
                .tryingAtMost(body.int32("maxAttempts"));
    }
}
