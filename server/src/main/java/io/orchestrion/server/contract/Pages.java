package io.orchestrion.server.contract;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// Answers with an agent contract that are no errors, and lists in pages among them.
public final class Pages {
    private Pages() {}

    public static Answer json(int status, Consumer<JsonWriter> fields, AgentContract contract) {
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
    public static <T> Answer page(
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

    public static <T> List<T> first(List<T> found, int limit) {
        return found.subList(0, Math.min(limit, found.size()));
    }

    public static <T> @Nullable String next(List<T> found, int limit, Function<T, UUID> place) {
        return found.size() > limit ? PageCursor.of(place.apply(found.get(limit - 1))) : null;
    }

    /// The place of an element of a list that is ordered by a number.
    public static UUID numberPlace(long number) {
        return new UUID(0, number);
    }

    /// The cursor that was sent.
    ///
    /// @param wrong whether one was sent that is none of ours
    public record Cursor(@Nullable UUID place, boolean wrong) {
        public static Cursor of(Call call) {
            return of(call, "cursor");
        }

        /// @param parameter of the query
        public static Cursor of(Call call, String parameter) {
            String sent = call.queryValues().textOrNull(parameter);
            UUID place = sent == null ? null : PageCursor.read(sent);
            return new Cursor(place, sent != null && place == null);
        }

        /// The same for a list whose places are numbers.
        public static Cursor ofNumber(Call call) {
            Cursor cursor = of(call);
            UUID place = cursor.place;
            boolean number =
                    place == null
                            || (place.getMostSignificantBits() == 0
                                    && place.getLeastSignificantBits() >= 0
                                    && place.getLeastSignificantBits() <= Integer.MAX_VALUE);
            return number ? cursor : new Cursor(null, true);
        }

        public @Nullable Integer number() {
            return place == null ? null : Math.toIntExact(place.getLeastSignificantBits());
        }
    }
}
