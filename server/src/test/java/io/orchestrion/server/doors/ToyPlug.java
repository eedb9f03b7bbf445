package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.identity.KeyFound;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.DoorGates;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Door;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/// A door as CONTRIBUTING tells to add one, as small as a door can be: it makes toys, and tells of
/// each. Only its gates may be left out, to see what happens then.
final class ToyPlug extends DoorPlug {
    static final String NAME = "toys";
    private static final String ROOT = "/toys";

    static final SubjectKind TOY =
            new SubjectKind("toy", "toys", List.of("made"), List.of("whole"));

    static final RateLimit LIMIT =
            RateLimit.byKey("toys", "Toy endpoints", 3, RateLimit.Share.FIXED);

    static final Setting TOYS_COLOUR =
            Setting.of(
                    "TOYS_COLOUR",
                    new SettingKind.Choice(List.of("red", "blue")),
                    "red",
                    "Colour of the toys that are made.");

    private static final ObjectSpec TOYS =
            ObjectSpec.answer("Toys").required(Field.text("colour").length(1, 10));

    private static final Endpoint LIST =
            Endpoint.get("listToys", ROOT)
                    .door(NAME)
                    .limit(LIMIT.name())
                    .summary("Look at the toys")
                    .response(200, TOYS)
                    .build();

    private static final Endpoint MAKE =
            Endpoint.post("makeToy", ROOT)
                    .door(NAME)
                    .limit(LIMIT.name())
                    .summary("Make a toy")
                    .request(ObjectSpec.named("ToyMake").required(Field.text("name").length(1, 40)))
                    .response(201, TOYS)
                    .build();

    /// What is set of the door.
    record Chosen(String colour) {}

    private final boolean gated;

    ToyPlug(boolean gated) {
        super(NAME, new Form(), null, new Catalogue(List.of(LIST, MAKE)));
        this.gated = gated;
    }

    @Override
    public String group(Endpoint endpoint) {
        return NAME;
    }

    @Override
    public String groupMeaning(String group) {
        return "Everything under " + ROOT + ".";
    }

    @Override
    public List<RateLimit> limits() {
        return List.of(LIMIT);
    }

    @Override
    public List<Setting> settings() {
        return List.of(TOYS_COLOUR);
    }

    @Override
    public ServerOptions configured(ServerOptions options, Settings settings) {
        return options.withDoor(new Chosen(settings.text(TOYS_COLOUR)));
    }

    @Override
    public List<SubjectKind> subjects() {
        return List.of(TOY);
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        String colour = opening.options().ofDoor(Chosen.class, new Chosen("red")).colour();
        opening.router().door(new Words());
        if (gated) {
            opening.router().gates(name(), new Gates(kernel, opening.limiter()).gates());
        }
        opening.router()
                .handle(LIST, _ -> toys(200, colour))
                .handle(MAKE, call -> make(kernel, call, colour));
        return OpenDoor.PLAIN;
    }

    private static Answer toys(int status, String colour) {
        return Answer.json(status, JsonWriter.object(out -> out.text("colour", colour)));
    }

    private static Answer make(Kernel kernel, Call call, String colour) {
        String unused = call.json().text("name");
        SubjectEvent made =
                SubjectEvent.of(
                        TOY.word(),
                        kernel.ids().next(kernel.database().aboutNowMillis()),
                        1,
                        "made",
                        null,
                        "whole");
        kernel.database()
                .transaction(
                        tx -> {
                            kernel.subjects().append(tx, Callers.account(call), List.of(made));
                            return made;
                        });
        return toys(201, colour);
    }

    /// One error for everything, which is enough for a toy.
    private enum ToyError implements DoorError {
        TOY_REFUSED;

        @Override
        public String code() {
            return "toy_refused";
        }

        @Override
        public int status() {
            return 400;
        }

        @Override
        public List<Integer> statuses() {
            return List.of(400, 401, 403, 404, 405, 413, 415, 429, 500, 503);
        }

        @Override
        public boolean retryable() {
            return false;
        }

        @Override
        public String meaning() {
            return "The toy door does not do this.";
        }
    }

    private static Answer refusal(Call call, int status, String why) {
        return problem(why).under(status).answer(call);
    }

    private static Problem problem(String why) {
        return Problem.of(ToyError.TOY_REFUSED, "No toy", why);
    }

    private static final class Form implements ErrorForm {
        @Override
        public String mediaType() {
            return Problem.MEDIA_TYPE;
        }

        @Override
        public ObjectSpec spec() {
            return Problem.spec("ToyProblem", List.of(ToyError.TOY_REFUSED.code()));
        }

        @Override
        public String codeField() {
            return "code";
        }

        @Override
        public DoorError ofHttp() {
            return ToyError.TOY_REFUSED;
        }

        @Override
        public List<? extends DoorError> all() {
            return List.of(ToyError.values());
        }

        @Override
        public List<? extends DoorError> of(Endpoint endpoint) {
            return all();
        }

        @Override
        public void example(JsonWriter out, DoorError error, String requestId) {
            problem(error.meaning()).write(out, requestId);
        }
    }

    /// The answers that no handler writes.
    private static final class Words implements Door {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public boolean owns(String path) {
            return path.equals(ROOT) || path.startsWith(ROOT + "/");
        }

        @Override
        public Answer notFound(Call call) {
            return refusal(call, 404, "There is no such toy.");
        }

        @Override
        public Answer methodNotAllowed(Call call, Set<String> allowed) {
            return refusal(call, 405, "Toys are not played with like this.");
        }

        @Override
        public Answer refused(Call call, int status, String message) {
            return refusal(call, status, message);
        }

        @Override
        public Answer failed(Call call, Throwable failure) {
            return refusal(call, 500, "The toy broke.");
        }

        @Override
        public Answer overloaded(Call call, int retryAfterSeconds) {
            return refusal(call, 503, "Too many toys at once.");
        }
    }

    private static final class Gates extends DoorGates {
        private final Kernel kernel;

        Gates(Kernel kernel, RateLimiter limiter) {
            super(limiter);
            this.kernel = kernel;
        }

        @Override
        protected @Nullable Answer authenticate(Call call, Endpoint endpoint) {
            String sent = Callers.bearer(call);
            if (sent == null) {
                return refusal(call, 401, "Toys are for those with a key.");
            }
            KeyFound found = kernel.identity().look(sent);
            Callers.known(call, found);
            return found instanceof KeyFound.Live
                    ? null
                    : refusal(call, 401, "The key opens no toy box.");
        }

        @Override
        protected Answer badRequest(Call call, String message) {
            return refusal(call, 400, message);
        }

        @Override
        protected Answer otherScope(Call call, String message) {
            return refusal(call, 403, message);
        }

        @Override
        protected Answer rateLimited(Call call, long waitSeconds, String message) {
            return problem(message).under(429).after(waitSeconds).answer(call);
        }
    }
}
