package io.orchestrion.server.discovery;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.Problem;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.jobs.JobsDoor;
import io.orchestrion.server.jobs.JobsError;
import io.orchestrion.server.jobs.JobsErrors;
import io.orchestrion.server.jobs.JobsProblems;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.ObjectSpec;
import io.orchestrion.server.queue.QueueEndpoints;
import io.orchestrion.server.queue.QueueError;
import io.orchestrion.server.queue.QueueErrors;
import io.orchestrion.server.queue.QueueProblems;
import io.orchestrion.server.tasks.AgentContract;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskError;
import io.orchestrion.server.tasks.TaskErrors;
import io.orchestrion.server.tasks.TaskSpecs;

import java.util.List;

/// The form that a door gives its errors.
enum ErrorForm {
    TASKS(Answer.JSON, TaskSpecs.ERROR_ANSWER, "error", TaskError.INVALID_REQUEST) {
        @Override
        List<? extends DoorError> all() {
            return List.of(TaskError.values());
        }

        @Override
        List<? extends DoorError> of(Endpoint endpoint) {
            return TaskErrors.of(endpoint);
        }

        /// As the create operation would word it.
        @Override
        void example(JsonWriter out, DoorError error) {
            Endpoint asked = TaskEndpoints.CREATE;
            out.text("error", error.code())
                    .text("message", error.meaning())
                    .text("request_id", REQUEST)
                    .object(
                            "agent_contract",
                            AgentContract.forError((TaskError) error, asked.method(), asked.path())
                                    ::write);
        }
    },
    QUEUE(Problem.MEDIA_TYPE, QueueProblems.SPEC, "code", QueueError.INVALID_REQUEST) {
        @Override
        List<? extends DoorError> all() {
            return List.of(QueueError.values());
        }

        @Override
        List<? extends DoorError> of(Endpoint endpoint) {
            return QueueErrors.of(endpoint);
        }

        @Override
        void example(JsonWriter out, DoorError error) {
            QueueProblems.of((QueueError) error, error.meaning()).write(out, REQUEST);
        }
    },
    JOBS(Problem.MEDIA_TYPE, JobsProblems.SPEC, "code", JobsError.REQUEST_MALFORMED) {
        @Override
        List<? extends DoorError> all() {
            return List.of(JobsError.values());
        }

        @Override
        List<? extends DoorError> of(Endpoint endpoint) {
            return JobsErrors.of(endpoint);
        }

        @Override
        void example(JsonWriter out, DoorError error) {
            JobsProblems.of((JobsError) error, error.meaning()).write(out, REQUEST);
        }
    };

    private static final String REQUEST = "req_0123456789abcdef";

    private final String mediaType;
    private final ObjectSpec spec;
    private final String codeField;
    private final DoorError ofHttp;

    ErrorForm(String mediaType, ObjectSpec spec, String codeField, DoorError ofHttp) {
        this.mediaType = mediaType;
        this.spec = spec;
        this.codeField = codeField;
        this.ofHttp = ofHttp;
    }

    static ErrorForm ofDoor(Endpoint endpoint) {
        return switch (endpoint.door()) {
            case QueueEndpoints.DOOR -> QUEUE;
            case JobsDoor.NAME -> JOBS;
            default -> TASKS;
        };
    }

    /// Every error of the door.
    abstract List<? extends DoorError> all();

    /// Those that the endpoint can answer with.
    abstract List<? extends DoorError> of(Endpoint endpoint);

    /// The body of an error, into an object that is already open.
    abstract void example(JsonWriter out, DoorError error);

    String mediaType() {
        return mediaType;
    }

    ObjectSpec spec() {
        return spec;
    }

    /// Which field of the body holds the code.
    String codeField() {
        return codeField;
    }

    /// What HTTP itself makes necessary, under statuses of its own: 408, 414, 431, 501, 505.
    ErrorGroup ofHttp() {
        return new ErrorGroup(this, List.of(ofHttp));
    }
}
