package io.orchestrion.bench.load;

/// What every task of a load carries, over HTTP and in plain SQL: of the size of an ordinary order
/// to an agent and of its answer.
public final class Sample {
    public static final String PAYLOAD =
            "{\"prompt\":\"Summarise the attached report in three sentences for a busy reader.\","
                    + "\"model\":\"large\",\"temperature\":0.2,\"attachments\":[\"report-17.pdf\","
                    + "\"figures.csv\"],\"customer\":{\"id\":4711,\"tier\":\"gold\"}}";

    public static final String RESULT =
            "{\"summary\":\"Sales rose by a tenth; costs did not.\",\"tokens\":812}";

    private Sample() {}
}
