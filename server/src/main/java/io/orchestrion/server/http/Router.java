package io.orchestrion.server.http;

import io.orchestrion.kernel.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Finds the endpoint and handler of a request. A literal segment always beats a parameter, so that
/// `/v1/tasks/claim` is never taken for a task with the id `claim`, under any method.
public final class Router {
    /// The outcome of looking up a request's endpoint.
    sealed interface Match {
        record Found(Endpoint endpoint, Handler handler, Map<String, String> pathParameters)
                implements Match {}

        record WrongMethod(Set<String> allowed) implements Match {}

        record Unknown() implements Match {}
    }

    private record Route(Endpoint endpoint, Handler handler, List<String> parameters) {}

    private static final class Node {
        final Map<String, Node> literals = new HashMap<>();
        final Map<String, Route> routes = new HashMap<>();
        @Nullable Node parameter;
    }

    private static final Match UNKNOWN = new Match.Unknown();

    private final Node root = new Node();
    private final Map<String, List<Gate>> gates = new HashMap<>();
    private final Map<String, Door> doors = new LinkedHashMap<>();
    private final Door defaultDoor;
    private final int maxBodyBytes;

    private Router(Builder builder, Predicate<Endpoint> which) {
        builder.gates.forEach((door, ofDoor) -> gates.put(door, List.copyOf(ofDoor)));
        this.defaultDoor = builder.doors.getFirst();
        for (Door door : builder.doors) {
            doors.put(door.name(), door);
        }
        for (String door : gates.keySet()) {
            if (!doors.containsKey(door)) {
                throw new IllegalStateException("There are gates of an unknown door: " + door);
            }
        }
        int largest = Endpoint.MAX_BODY_BYTES_DEFAULT;
        for (Endpoint endpoint : builder.catalogue) {
            Handler handler = builder.handlers.get(endpoint.name());
            if (handler == null) {
                throw new IllegalStateException(
                        "The endpoint " + endpoint.name() + " has no handler");
            }
            if (!doors.containsKey(endpoint.door())) {
                throw new IllegalStateException(
                        "The endpoint "
                                + endpoint.name()
                                + " is of an unknown door: "
                                + endpoint.door());
            }
            if (which.test(endpoint)) {
                add(endpoint, builder.around.apply(handler));
                largest = Math.max(largest, endpoint.maxBodyBytes());
            }
        }
        this.maxBodyBytes = largest;
        for (Endpoint endpoint : builder.catalogue) {
            if (gates.getOrDefault(endpoint.door(), List.of()).isEmpty()
                    && !builder.openToAll.contains(endpoint.door())) {
                throw new IllegalStateException(
                        "The door "
                                + endpoint.door()
                                + " has no gates, so everybody may call "
                                + endpoint.name()
                                + ": add gates, or say that it is open to all");
            }
        }
    }

    private void add(Endpoint endpoint, Handler handler) {
        PathTemplate template = PathTemplate.parse(endpoint.path());
        Node node = root;
        for (PathTemplate.Segment segment : template.segments()) {
            if (segment.parameter()) {
                if (node.parameter == null) {
                    node.parameter = new Node();
                }
                node = node.parameter;
            } else {
                node = node.literals.computeIfAbsent(segment.text(), text -> new Node());
            }
        }
        node.routes.put(endpoint.method(), new Route(endpoint, handler, template.parameters()));
    }

    public static Builder of(Catalogue catalogue) {
        return new Builder(catalogue);
    }

    Match match(String method, String rawPath) {
        List<String> segments = PathTemplate.split(rawPath);
        if (segments == null) {
            return UNKNOWN;
        }
        var captured = new ArrayList<String>(2);
        Node node = root;
        for (String segment : segments) {
            Node next = node.literals.get(segment);
            if (next == null) {
                next = node.parameter;
                captured.add(segment);
            }
            if (next == null) {
                return UNKNOWN;
            }
            node = next;
        }
        if (node.routes.isEmpty()) {
            return UNKNOWN;
        }
        Route route = node.routes.get(method);
        if (route == null && method.equals("HEAD")) {
            route = node.routes.get("GET");
        }
        if (route == null) {
            var allowed = new TreeSet<>(node.routes.keySet());
            if (allowed.contains("GET")) {
                allowed.add("HEAD");
            }
            return new Match.WrongMethod(allowed);
        }
        return new Match.Found(
                route.endpoint(), route.handler(), named(route.parameters(), captured));
    }

    private static Map<String, String> named(List<String> names, List<String> values) {
        return switch (names.size()) {
            case 0 -> Map.of();
            case 1 -> Map.of(names.getFirst(), values.getFirst());
            default -> {
                var named = new HashMap<String, String>();
                for (int i = 0; i < names.size(); i++) {
                    named.put(names.get(i), values.get(i));
                }
                yield named;
            }
        };
    }

    /// The gates of the endpoint's own door.
    List<Gate> gates(Endpoint endpoint) {
        return gates.getOrDefault(endpoint.door(), List.of());
    }

    /// The door that words the answer to a path no endpoint has.
    Door doorOf(String path) {
        for (Door door : doors.values()) {
            if (door != defaultDoor && door.owns(path)) {
                return door;
            }
        }
        return defaultDoor;
    }

    Door doorOf(Endpoint endpoint) {
        return doors.getOrDefault(endpoint.door(), defaultDoor);
    }

    Door defaultDoor() {
        return defaultDoor;
    }

    /// The largest body any endpoint takes.
    int maxBodyBytes() {
        return maxBodyBytes;
    }

    /// Binds every endpoint of a catalogue to its handler; what is missing or left over is found at
    /// start.
    public static final class Builder {
        private final Catalogue catalogue;
        private final List<Door> doors = new ArrayList<>();
        private final Map<String, List<Gate>> gates = new HashMap<>();
        private final Set<String> openToAll = new HashSet<>();
        private final Map<String, Handler> handlers = new HashMap<>();
        private UnaryOperator<Handler> around = handler -> handler;

        private Builder(Catalogue catalogue) {
            this.catalogue = catalogue;
        }

        /// Adds a door. The first is the default, which words the answers to paths that no other
        /// door owns. For a path that several others own, the first of them does.
        public Builder door(Door door) {
            doors.add(door);
            return this;
        }

        /// For a path that no door has: adds the other doors' words to the answer of this one,
        /// where they share a root. The caller may have meant any of them.
        public void writeNotFoundOfOthers(String door, JsonWriter out, Call call) {
            doors.stream()
                    .filter(other -> !other.name().equals(door))
                    .forEach(other -> other.writeNotFound(out, call));
        }

        /// Adds gates that calls of one door pass, in this order. Calls of other doors do not.
        public Builder gates(String door, List<Gate> ofDoor) {
            gates.computeIfAbsent(door, _ -> new ArrayList<>()).addAll(ofDoor);
            return this;
        }

        /// Says that a door has no gates on purpose: everybody may call it.
        public Builder openToAll(String door) {
            openToAll.add(door);
            return this;
        }

        /// Puts something around every handler, whenever it is added, and around what was put
        /// around it before.
        public Builder around(UnaryOperator<Handler> wrapper) {
            UnaryOperator<Handler> inner = around;
            around = handler -> wrapper.apply(inner.apply(handler));
            return this;
        }

        public Builder handle(Endpoint endpoint, Handler handler) {
            if (catalogue.named(endpoint.name()).isEmpty()) {
                throw new IllegalStateException("The catalogue has no endpoint " + endpoint.name());
            }
            if (handlers.put(endpoint.name(), handler) != null) {
                throw new IllegalStateException(
                        "The endpoint " + endpoint.name() + " has two handlers");
            }
            return this;
        }

        public Router build() {
            return build(_ -> true);
        }

        /// A router of some of the endpoints. For it, the paths of the others are unknown.
        public Router build(Predicate<Endpoint> which) {
            return new Router(this, which);
        }
    }
}
