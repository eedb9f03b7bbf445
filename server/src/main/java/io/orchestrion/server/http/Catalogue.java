package io.orchestrion.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Every endpoint of the product in the order of the docs. Names are unique, and so is each method
/// on each path.
public final class Catalogue implements Iterable<Endpoint> {
    private final List<Endpoint> endpoints;
    private final Map<String, Endpoint> byName = new HashMap<>();

    public Catalogue(List<Endpoint> endpoints) {
        this.endpoints = List.copyOf(endpoints);
        var byShape = new HashMap<String, Endpoint>();
        for (Endpoint endpoint : this.endpoints) {
            Endpoint sameName = byName.put(endpoint.name(), endpoint);
            if (sameName != null) {
                throw new IllegalArgumentException("Two endpoints are named " + endpoint.name());
            }
            String shape = endpoint.method() + " " + endpoint.path().replaceAll("\\{[^/]*}", "{}");
            Endpoint sameShape = byShape.put(shape, endpoint);
            if (sameShape != null) {
                throw new IllegalArgumentException(
                        endpoint.name()
                                + " and "
                                + sameShape.name()
                                + " answer the same requests: "
                                + shape);
            }
        }
    }

    /// The catalogues of several doors as one.
    public static Catalogue of(List<Catalogue> parts) {
        var all = new ArrayList<Endpoint>();
        parts.forEach(part -> all.addAll(part.endpoints));
        return new Catalogue(all);
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    public Optional<Endpoint> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public List<Endpoint> ofDoor(String door) {
        return endpoints.stream().filter(endpoint -> endpoint.door().equals(door)).toList();
    }

    @Override
    public Iterator<Endpoint> iterator() {
        return endpoints.iterator();
    }
}
