package io.orchestrion.server.runs;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints that make runs and change them.
public final class RunWriteEndpoints {
    private RunWriteEndpoints() {}

    private static final String NO_RUN = RunReadEndpoints.NO_RUN;
    private static final String WRONG_STATUS = "invalid_transition";
    private static final String NO_CREDITS = "insufficient_credits";

    static final Endpoint CREATE =
            RunSpecs.writing(Endpoint.post("createRun", RunsDoor.RUNS), NO_CREDITS)
                    .limit(RunLimits.CREATE)
                    .summary("Create run; nothing begins and nothing is reserved before its start")
                    .maxBodyBytes(RunWriteSpecs.CREATE_BYTES_MAX)
                    .request(RunWriteSpecs.CREATE)
                    .response(201, RunViewSpecs.RUN)
                    .response(200, RunViewSpecs.RUN)
                    .build();

    static final Endpoint DELETE =
            RunSpecs.writing(
                            Endpoint.delete("deleteRun", RunReadEndpoints.ONE),
                            NO_RUN,
                            WRONG_STATUS)
                    .summary("Delete run that was never started")
                    .destructive()
                    .answers(204, "")
                    .build();

    static final Endpoint START =
            verb(RunSpecs.writing(post("startRun", "start"), NO_RUN, WRONG_STATUS, NO_CREDITS))
                    .summary("Start run: its credits are reserved")
                    .build();

    static final Endpoint PAUSE =
            verb(RunSpecs.operating(post("pauseRun", "pause"), NO_RUN, WRONG_STATUS))
                    .summary("Pause run: no further step begins")
                    .build();

    static final Endpoint RESUME =
            verb(RunSpecs.operating(post("resumeRun", "resume"), NO_RUN, WRONG_STATUS))
                    .summary("Resume paused run where it stopped")
                    .build();

    static final Endpoint CANCEL =
            verb(RunSpecs.operating(post("cancelRun", "cancel"), NO_RUN, WRONG_STATUS))
                    .summary("Cancel run; workers that hold a step are told")
                    .destructive()
                    .build();

    static final Endpoint RETRY =
            verb(RunSpecs.operating(
                            post("retryRun", "retry"),
                            NO_RUN,
                            WRONG_STATUS,
                            NO_CREDITS,
                            "max_attempts_exceeded"))
                    .summary("Try failed run once more, with credits of its own")
                    .build();

    static final Endpoint PLAN =
            RunSpecs.writing(post("sendRunPlan", "plan"), NO_RUN, WRONG_STATUS, "invalid_plan")
                    .summary("Hand in plan of run while its planning step is open")
                    .maxBodyBytes(RunWriteSpecs.PLAN_BYTES_MAX)
                    .request(RunWriteSpecs.PLAN)
                    .response(201, RunViewSpecs.RUN)
                    .response(200, RunViewSpecs.RUN)
                    .build();

    static final Endpoint CANCEL_AGENT =
            part("cancelRunAgent", RunReadEndpoints.AGENT, "agent_not_found", RunViewSpecs.AGENT)
                    .summary("Cancel agent; the run goes on by its failure_mode")
                    .build();

    static final Endpoint CANCEL_TASK =
            part("cancelRunTask", RunReadEndpoints.TASK, "task_not_found", RunViewSpecs.TASK)
                    .summary("Cancel task; its agent goes on by its failure_mode")
                    .build();

    static final Endpoint RESOLVE =
            RunSpecs.deciding(
                            Endpoint.post(
                                    "resolveEscalation", RunReadEndpoints.ESCALATION + "/resolve"),
                            "escalation_not_found",
                            "already_resolved",
                            WRONG_STATUS)
                    .summary("Resolve ticket: the run goes on, or is cancelled")
                    .request(RunWriteSpecs.RESOLVE)
                    .response(200, RunWriteSpecs.RESOLVED)
                    .build();

    static final Endpoint APPROVE =
            decision("approveRunStep", "approve").summary("Let the tool be called").build();

    static final Endpoint REJECT =
            decision("rejectRunStep", "reject")
                    .summary("Do not let the tool be called; the step fails")
                    .build();

    static final Endpoint FORCE_FAIL =
            RunSpecs.administering(
                            Endpoint.post(
                                    "forceFailRun", RunsDoor.ADMIN + "/runs/{run_id}/force-fail"),
                            NO_RUN,
                            WRONG_STATUS)
                    .summary("End run of any account that nothing else ends")
                    .destructive()
                    .request(RunWriteSpecs.FORCE_FAIL)
                    .response(200, RunWriteSpecs.FORCE_FAILED)
                    .build();

    private static Endpoint.Builder post(String name, String verb) {
        return Endpoint.post(name, RunReadEndpoints.ONE + "/" + verb);
    }

    private static Endpoint.Builder verb(Endpoint.Builder endpoint) {
        return endpoint.request(RunWriteSpecs.REASON).response(200, RunViewSpecs.RUN);
    }

    private static Endpoint.Builder part(String name, String path, String none, ObjectSpec answer) {
        return RunSpecs.operating(Endpoint.post(name, path + "/cancel"), NO_RUN, none, WRONG_STATUS)
                .destructive()
                .request(RunWriteSpecs.REASON)
                .response(200, answer);
    }

    private static Endpoint.Builder decision(String name, String verb) {
        return RunSpecs.deciding(
                        Endpoint.post(name, RunReadEndpoints.APPROVAL + "/" + verb),
                        "approval_not_found",
                        "already_decided",
                        WRONG_STATUS)
                .request(RunWriteSpecs.DECISION)
                .response(200, RunWriteSpecs.DECIDED);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            CREATE,
                            DELETE,
                            START,
                            PAUSE,
                            RESUME,
                            CANCEL,
                            RETRY,
                            PLAN,
                            CANCEL_AGENT,
                            CANCEL_TASK,
                            RESOLVE,
                            APPROVE,
                            REJECT,
                            FORCE_FAIL));
}
