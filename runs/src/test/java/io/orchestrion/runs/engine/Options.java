package io.orchestrion.runs.engine;

import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.engine.RunsOptions.Given;
import io.orchestrion.runs.engine.RunsOptions.Heart;
import io.orchestrion.runs.engine.RunsOptions.OnCallLine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Options of the engine, changed for a test.
final class Options {
    private Options() {}

    static RunsOptions drivers(RunsOptions of, int places) {
        return new RunsOptions(
                of.usual(),
                of.attempts(),
                of.policy(),
                of.plans(),
                of.prices(),
                of.initial(),
                of.heart(),
                new RunsOptions.Drivers(places, places),
                of.given(),
                of.kept());
    }

    static RunsOptions after(RunsOptions of, AfterOutage what) {
        return heart(of, new Heart(of.heart().beatEvery(), of.heart().limit(), what));
    }

    static RunsOptions heart(RunsOptions of, Heart heart) {
        return new RunsOptions(
                of.usual(),
                of.attempts(),
                of.policy(),
                of.plans(),
                of.prices(),
                of.initial(),
                heart,
                of.drivers(),
                of.given(),
                of.kept());
    }

    static RunsOptions kept(RunsOptions of, Duration kept) {
        return new RunsOptions(
                of.usual(),
                of.attempts(),
                of.policy(),
                of.plans(),
                of.prices(),
                of.initial(),
                of.heart(),
                of.drivers(),
                of.given(),
                kept);
    }

    static RunsOptions random(RunsOptions of, RandomGenerator random) {
        return given(of, new Given(of.given().schemas(), random, of.given().onCall()));
    }

    static RunsOptions onCall(RunsOptions of, @Nullable OnCallLine line) {
        return given(of, new Given(of.given().schemas(), of.given().random(), line));
    }

    private static RunsOptions given(RunsOptions of, Given given) {
        return new RunsOptions(
                of.usual(),
                of.attempts(),
                of.policy(),
                of.plans(),
                of.prices(),
                of.initial(),
                of.heart(),
                of.drivers(),
                given,
                of.kept());
    }
}
