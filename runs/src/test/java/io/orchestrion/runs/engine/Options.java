package io.orchestrion.runs.engine;

import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.engine.RunsOptions.Heart;

import java.time.Duration;

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
        return new RunsOptions(
                of.usual(),
                of.attempts(),
                of.policy(),
                of.plans(),
                of.prices(),
                of.initial(),
                new Heart(of.heart().beatEvery(), of.heart().limit(), what),
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
}
