package io.orchestrion.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Helidon's names of the headers that the program itself asks for and sends: a few words, none of
/// them from outside. To make a name is to spell it in lower case and to look it up, which is done
/// here once for each instead of for every header of every call.
final class OwnHeaders {
    private static final Map<String, HeaderName> NAMES = new ConcurrentHashMap<>();

    private OwnHeaders() {}

    static HeaderName name(String spelled) {
        HeaderName known = NAMES.get(spelled);
        return known != null ? known : NAMES.computeIfAbsent(spelled, HeaderNames::create);
    }
}
