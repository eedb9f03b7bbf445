package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.jobs.JobQuery;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.limits.RateLimits;

import java.util.Arrays;
import java.util.List;

/// The endpoints of the jobs door about jobs: what the router, the documents and the tests are made
/// from.
public final class JobsEndpoints {
    private JobsEndpoints() {}

    static final String JOBS = "/v1/jobs";
    static final String ID = "job_id";
    private static final String ONE = JOBS + "/{" + ID + "}";

    public static final Endpoint SUBMIT =
            of(Endpoint.post("submitJob", JOBS))
                    .summary("Submit a job")
                    .scopes("producer", "admin")
                    .request(JobsSpecs.SUBMIT)
                    .maxBodyBytes(JobsSpecs.SUBMIT_BODY_BYTES_MAX)
                    .requestHeader(Once.header())
                    .answerHeader("Location", "The path of the job.")
                    .answerHeader(Once.REPLAYED, "true when the job had been there before.")
                    .response(202, JobsSpecs.SUBMITTED)
                    .errors(
                            codes(
                                    JobsError.JOB_VALIDATION_FAILED,
                                    JobsError.EXEC_IDEMPOTENCY_CONFLICT,
                                    JobsError.EXEC_IDEMPOTENCY_IN_FLIGHT,
                                    JobsError.EXEC_QUEUE_FULL,
                                    JobsError.EXEC_WORKER_UNAVAILABLE))
                    .build();

    static final Endpoint LIST =
            of(Endpoint.get("listJobs", JOBS))
                    .summary("List the client's jobs, newest first")
                    .query(
                            oneOf("state", JobsSpecs.STATES).doc("Only jobs in this state."),
                            oneOf("outcome", JobsSpecs.OUTCOMES)
                                    .doc("Only jobs with this outcome."),
                            integer("limit")
                                    .range(1, JobQuery.MOST)
                                    .orElse(JobsSpecs.LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor").length(1, 200).doc("next_cursor of the previous page."))
                    .response(200, JobsSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint CATALOGUE_OF_WORK =
            of(Endpoint.get("getWorkKinds", JOBS + "/catalogue"))
                    .summary("Get the catalogue of simulated work")
                    .response(200, JobsSpecs.CATALOGUE)
                    .build();

    static final Endpoint READY =
            Endpoint.get("getJobsReadiness", JOBS + "/ready")
                    .door(JobsDoor.NAME)
                    .access(Access.PUBLIC)
                    .urgency(Urgency.PROBE)
                    .limit(RateLimits.NONE)
                    .summary("Whether runners are connected that can run jobs")
                    .response(200, JobsSpecs.READY)
                    .errors(codes(JobsError.EXEC_WORKER_UNAVAILABLE))
                    .build();

    static final Endpoint GET =
            one(Endpoint.get("getJob", ONE))
                    .summary("Get a job")
                    .response(200, JobsSpecs.JOB)
                    .build();

    static final Endpoint REPORT =
            one(Endpoint.get("getJobReport", ONE + "/report"), JobsError.REPORT_NOT_FOUND)
                    .summary("Get the report of a job's newest finished attempt")
                    .response(200, JobsSpecs.REPORT)
                    .build();

    static final Endpoint CANCEL =
            one(Endpoint.post("cancelJob", ONE + "/cancel"), JobsError.JOB_CONFLICT)
                    .summary("Cancel a job that is not final")
                    .scopes("producer", "operator", "admin")
                    .request(JobsSpecs.NOTHING)
                    .response(200, JobsSpecs.CANCELED)
                    .destructive()
                    .build();

    static final Endpoint RETRY =
            one(
                            Endpoint.post("retryJob", ONE + "/retry"),
                            JobsError.JOB_CONFLICT,
                            JobsError.EXEC_QUEUE_FULL)
                    .summary("Retry a failed job")
                    .scopes("producer", "operator", "admin")
                    .request(JobsSpecs.NOTHING)
                    .response(200, JobsSpecs.RETRIED)
                    .build();

    static final Endpoint DELETE =
            one(Endpoint.delete("deleteJob", ONE), JobsError.JOB_CONFLICT)
                    .summary("Delete a final job with all that belongs to it")
                    .scopes("producer", "operator", "admin")
                    .response(200, JobsSpecs.DELETED)
                    .destructive()
                    .build();

    private static Endpoint.Builder of(Endpoint.Builder endpoint) {
        return endpoint.door(JobsDoor.NAME).limit(JobsLimits.JOBS);
    }

    /// An endpoint about one job, which may be missing or another client's.
    private static Endpoint.Builder one(Endpoint.Builder endpoint, JobsError... more) {
        String[] all = Arrays.copyOf(codes(more), more.length + 2);
        all[more.length] = JobsError.JOB_NOT_FOUND.code();
        all[more.length + 1] = JobsError.AUTH_FORBIDDEN.code();
        return of(endpoint).errors(all);
    }

    static String[] codes(JobsError... errors) {
        return Arrays.stream(errors).map(JobsError::code).toArray(String[]::new);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            SUBMIT,
                            LIST,
                            CATALOGUE_OF_WORK,
                            READY,
                            GET,
                            REPORT,
                            CANCEL,
                            RETRY,
                            DELETE));
}
