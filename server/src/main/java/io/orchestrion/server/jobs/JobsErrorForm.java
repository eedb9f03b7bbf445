package io.orchestrion.server.jobs;

import io.orchestrion.server.door.ProblemForm;

/// The jobs door's errors: problem documents with codes of their own.
public final class JobsErrorForm extends ProblemForm<JobsError> {
    public JobsErrorForm() {
        super(JobsProblems.SPEC, JobsError.REQUEST_MALFORMED, JobsErrors::of, JobsProblems::of);
    }
}
