package io.orchestrion.runs.fault;

import io.orchestrion.kernel.db.Tx;

/// All that the engine of runs commits, each a place before and a place after its commit for
/// `Failpoints`. A transaction may be several of them: the end of a step settles the run, too. A
/// test kills a program at every one of them and takes the list from here.
public enum Commit {
    CREATE("run.create"),
    START("run.start"),
    PAUSE("run.pause"),
    RESUME("run.resume"),
    CANCEL("run.cancel"),
    RETRY("run.retry"),
    DELETE("run.delete"),
    FORCE_FAIL("run.force_fail"),
    CANCEL_AGENT("run.agent_cancel"),
    CANCEL_TASK("run.task_cancel"),
    PLAN_BY_HAND("run.plan"),
    RESOLVE_TICKET("run.ticket_resolve"),
    APPROVE_CALL("run.tool_approve"),
    REJECT_CALL("run.tool_reject"),
    /// Whatever the driver of a run does with it, and then what it is.
    DRIVE("run.drive"),
    PICK_UP("run.pick_up"),
    GO_ON("run.go_on"),
    NEXT_ATTEMPT("run.next_attempt"),
    TAKE_OVER("run.take_over"),
    HEARTBEAT("run.heartbeat"),
    STEP_BEGUN("run.step_begun"),
    /// With its metering.
    STEP_ENDED("run.step_ended"),
    /// Agents are spawned.
    PLANNED("run.planned"),
    REPLAN("run.replan"),
    ESCALATE("run.escalate"),
    CALLED_OUT("run.called_out"),
    /// A status that ends the attempt, with charge and refund.
    SETTLE("run.settle"),
    /// The credits of another attempt are reserved.
    AGAIN("run.again"),
    TIME_IS_UP("run.time_is_up"),
    HEARTBEAT_LOST("run.heartbeat_lost"),
    PURGE("run.purge"),
    OUTPUT("run.output"),
    UPLOAD_BEGUN("artifact.begin"),
    UPLOAD_RENEWED("artifact.renew"),
    UPLOAD_FINISHED("artifact.finish"),
    UPLOAD_DISCARDED("artifact.discard"),
    ARTIFACT_EXPIRED("artifact.expire"),
    OBJECT_REMOVED("artifact.remove");

    private final String word;

    Commit(String word) {
        this.word = word;
    }

    /// What a person has asked for is noted in the audit under the same word.
    public String word() {
        return word;
    }

    /// This is what the transaction commits.
    public void in(Tx tx) {
        tx.called(word);
    }
}
