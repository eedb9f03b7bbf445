package io.orchestrion.jobs;

public sealed interface ReportFound {
    record Found(Job job, JobReport report) implements ReportFound {}

    /// There will be one when the job, or its retry, is over.
    record NotFinal(Job job) implements ReportFound {}

    record NotFound() implements ReportFound {}

    /// It is another account's.
    record Foreign() implements ReportFound {}

    /// The job is over and its report is not there, which the start-up check tells of.
    record Missing(Job job) implements ReportFound {}
}
