package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.orchestrations.execution.Person;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ErrorAnswers;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// What the answers of the orchestrations door share: errors, pages, and who is asking.
final class OrchestrationAnswers {
    static final ErrorAnswers<OrchestrationError> ALL = new ErrorAnswers<>(OrchestrationErrors.ALL);

    private OrchestrationAnswers() {}

    static Answer badRequest(Call call, String message) {
        return ALL.badRequest(call, message);
    }

    /// With all that is wrong.
    static Answer badRequest(Call call, String message, List<ErrorDetail> details) {
        OrchestrationError error = OrchestrationError.INVALID_REQUEST;
        return ALL.error(
                call,
                error,
                error.status(),
                message,
                OrchestrationActions.forError(error, call.method(), call.path()),
                out -> out.objects("details", details, (each, detail) -> detail.write(each)));
    }

    static Answer error(Call call, OrchestrationError error, String message) {
        return ALL.error(call, error, message);
    }

    static Answer error(
            Call call, OrchestrationError error, String message, AgentContract contract) {
        return ALL.error(call, error, error.status(), message, contract);
    }

    static Answer json(int status, Consumer<JsonWriter> fields, AgentContract contract) {
        return Answer.json(
                status,
                JsonWriter.object(
                        out -> {
                            fields.accept(out);
                            out.object("agent_contract", contract::write);
                        }));
    }

    /// A page of a list.
    ///
    /// @param found one more than the page has, where there are more
    /// @param place where the page after an element begins
    static <T> Answer page(
            List<T> found,
            int limit,
            Function<T, UUID> place,
            BiConsumer<JsonWriter, T> fields,
            AgentContract contract) {
        return json(
                200,
                out ->
                        out.objects("items", first(found, limit), fields)
                                .text("next_cursor", next(found, limit, place)),
                contract);
    }

    static <T> List<T> first(List<T> found, int limit) {
        return found.subList(0, Math.min(limit, found.size()));
    }

    static <T> @Nullable String next(List<T> found, int limit, Function<T, UUID> place) {
        return found.size() > limit ? PageCursor.of(place.apply(found.get(limit - 1))) : null;
    }

    /// The cursor that was sent.
    ///
    /// @param wrong whether one was sent that is none of ours
    record Cursor(@Nullable UUID place, boolean wrong) {
        static Cursor of(Call call) {
            String sent = call.queryValues().textOrNull("cursor");
            UUID place = sent == null ? null : PageCursor.read(sent);
            return new Cursor(place, sent != null && place == null);
        }

        /// The same for a list whose places are numbers.
        static Cursor ofNumber(Call call) {
            Cursor cursor = of(call);
            UUID place = cursor.place;
            boolean number =
                    place == null
                            || (place.getMostSignificantBits() == 0
                                    && place.getLeastSignificantBits() >= 0
                                    && place.getLeastSignificantBits() <= Integer.MAX_VALUE);
            return number ? cursor : new Cursor(null, true);
        }

        @Nullable Integer number() {
            return place == null ? null : Math.toIntExact(place.getLeastSignificantBits());
        }
    }

    static UUID numberPlace(long number) {
        return new UUID(0, number);
    }

    static Answer badCursor(Call call) {
        return badRequest(call, "cursor is not one that this endpoint has given.");
    }

    /// @param limit the name of the limit in the definition
    static String tooMany(String limit, int most) {
        return limit
                + " of the definition is "
                + most
                + ", and so many executions are under way.";
    }

    static Person person(Call call) {
        return new Person(Callers.caller(call).keyId(), null);
    }
}
