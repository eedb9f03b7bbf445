package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.Page;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimits;

import java.util.Arrays;
import java.util.List;

/// Where the `type` of a problem leads: what the error means and what to do about it, for people
/// and for programs. It needs no key and no database, as some of these errors are about the two.
public final class ProblemPages {
    private static final String HTML = "text/html";

    private static final ObjectSpec PAGE =
            ObjectSpec.answer("ProblemPage")
                    .required(text("type").example("/problems/RFA_JOB_NOT_FOUND"))
                    .required(
                            oneOf(
                                    "code",
                                    Arrays.stream(JobsError.values())
                                            .map(JobsError::code)
                                            .toList()))
                    .required(integer("status").range(400, 599))
                    .required(text("title"))
                    .required(text("meaning"))
                    .required(text("remedy").doc("What the caller can do about it."))
                    .required(bool("retryable").doc("Whether the same request may succeed later."));

    static final Endpoint ONE =
            page("getProblem", JobsError.PAGES + "{code}")
                    .summary("What an error of the jobs door means")
                    .response(200, PAGE)
                    .answers(200, HTML)
                    .build();

    static final Endpoint ALL =
            page("listProblems", "/problems")
                    .summary("Every error of the jobs door")
                    .response(
                            200,
                            ObjectSpec.answer("ProblemPages").required(objects("problems", PAGE)))
                    .answers(200, HTML)
                    .build();

    public static final Catalogue CATALOGUE = new Catalogue(List.of(ALL, ONE));

    private static Endpoint.Builder page(String name, String path) {
        return Endpoint.get(name, path)
                .door(JobsDoor.NAME)
                .access(Access.PUBLIC)
                .limit(RateLimits.NONE);
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(ONE, ProblemPages::one).handle(ALL, ProblemPages::all);
    }

    private static Answer one(Call call) {
        JobsError error = JobsError.coded(call.pathParameter("code"));
        if (error == null) {
            return JobsProblems.error(call, JobsError.REQUEST_NOT_FOUND, "No error has this code.");
        }
        return forPeople(call)
                ? new Page(error.title())
                        .command(error.code() + ", HTTP status " + error.status())
                        .paragraph(error.meaning())
                        .paragraph(error.remedy())
                        .paragraph(
                                error.retryable()
                                        ? "The same request may succeed later."
                                        : "The same request will not succeed by itself.")
                        .link("/problems", "Every error of the jobs door")
                        .answer(200)
                : Answer.json(200, JsonWriter.object(out -> write(out, error)));
    }

    private static Answer all(Call call) {
        List<JobsError> errors = List.of(JobsError.values());
        if (!forPeople(call)) {
            return Answer.json(
                    200,
                    JsonWriter.object(out -> out.objects("problems", errors, ProblemPages::write)));
        }
        var page = new Page("Errors of the jobs door");
        errors.forEach(
                error -> page.link(error.type(), error.code() + " (" + error.status() + ")"));
        return page.answer(200);
    }

    /// A browser names HTML before everything else; programs get JSON unless they ask for HTML.
    private static boolean forPeople(Call call) {
        boolean asked = call.headers("Accept").stream().anyMatch(line -> line.contains(HTML));
        return asked && Accepts.weight(call, HTML) >= Accepts.weight(call, Answer.JSON);
    }

    private static void write(JsonWriter out, JobsError error) {
        out.text("type", error.type())
                .text("code", error.code())
                .integer("status", error.status())
                .text("title", error.title())
                .text("meaning", error.meaning())
                .text("remedy", error.remedy())
                .bool("retryable", error.retryable());
    }
}
