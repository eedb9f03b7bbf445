package io.orchestrion.simulator.play;

import java.util.Locale;

/// What clients can be made to do. The weights are the shares of a run with all of them.
public enum Scenario {
    KINDS(40, "every kind of the catalogue, each as it is meant to be used"),
    BURSTS(20, "many submits of one client at the same moment"),
    CANCELS(8, "cancels in every state, at random moments and twice"),
    RETRIES(8, "retries until one succeeds or none is left, by hand and automatic"),
    DUPLICATES(6, "the same submit several times at once, and its key for another one"),
    WEBHOOKS(8, "receivers that accept, fail, hang, answer late and drip"),
    SCHEDULES(6, "jobs for a time near and further ahead"),
    RANDOM(4, "whatever the server makes up");

    private final int weight;
    private final String about;

    Scenario(int weight, String about) {
        this.weight = weight;
        this.about = about;
    }

    int weight() {
        return weight;
    }

    public String about() {
        return about;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
