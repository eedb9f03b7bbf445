package io.orchestrion.kernel.fault;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Named places in the code where a test can stop, break or kill the program. Inert unless armed:
/// in process by a test, or for a whole server process by the system property
/// `orchestrion.failpoints`, e.g. `submit.before-commit=halt@3,settle.after-commit=throw`.
/// An instance per kernel, so that tests in one JVM do not meet.
public final class Failpoints {

    /// What happens at an armed place.
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /// Thrown by the `throw` action.
    public static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Injected(String place) {
            super("injected at " + place);
        }
    }

    private final Map<String, Action> armed = new ConcurrentHashMap<>();

    public static Failpoints fromSystemProperty() {
        var failpoints = new Failpoints();
        String spec = System.getProperty("orchestrion.failpoints", "");
        for (String one : spec.split(",", -1)) {
            if (!one.isBlank()) {
                failpoints.armFromText(one.strip());
            }
        }
        return failpoints;
    }

    public void arm(String place, Action action) {
        armed.put(place, action);
    }

    public void disarm(String place) {
        armed.remove(place);
    }

    /// Called by the code at the place itself. One map look-up when nothing is armed.
    public void hit(String place) {
        if (armed.isEmpty()) {
            return;
        }
        Action action = armed.get(place);
        if (action == null) {
            return;
        }
        try {
            action.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("failpoint " + place, e);
        }
    }

    private void armFromText(String text) {
        int equals = text.indexOf('=');
        int at = text.indexOf('@');
        if (equals < 0) {
            throw new IllegalArgumentException(
                    "a failpoint is place=halt|throw[@nth], not " + text);
        }
        String place = text.substring(0, equals);
        String what = at < 0 ? text.substring(equals + 1) : text.substring(equals + 1, at);
        int nth = at < 0 ? 1 : Integer.parseInt(text.substring(at + 1));
        var hits = new AtomicInteger();
        Action action =
                switch (what) {
                    // halt runs no shutdown hook: as close to kill -9 as a process can do to
                    // itself.
                    case "halt" -> () -> Runtime.getRuntime().halt(137);
                    case "throw" ->
                            () -> {
                                throw new Injected(place);
                            };
                    default ->
                            throw new IllegalArgumentException("unknown failpoint action " + what);
                };
        arm(
                place,
                () -> {
                    if (hits.incrementAndGet() >= nth) {
                        action.run();
                    }
                });
    }
}
