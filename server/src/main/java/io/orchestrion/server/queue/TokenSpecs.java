package io.orchestrion.server.queue;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.identity.WorkerSecret;
import io.orchestrion.kernel.identity.WorkerToken;
import io.orchestrion.kernel.identity.WorkerTokens;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ListField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.door.Expiries;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The bodies of the token endpoints, in and out.
final class TokenSpecs {
    private TokenSpecs() {}

    static final int PAGE_MAX = 200;
    static final int PAGE_DEFAULT = 100;
    static final int ENTRY_MAX = 200;
    static final int OVERLAP_DEFAULT_SECONDS = 3600;

    /// The fields that hold lists.
    static final String REPOSITORIES = "allowedRepositories";
    static final String TYPES = "allowedJobTypes";
    static final String CAPABILITIES = "capabilities";

    private static final String ID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

    static String word(WorkerToken.Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    static final ObjectSpec CREATE =
            ObjectSpec.named("WorkerTokenCreate")
                    .required(
                            text("workerId")
                                    .length(1, WorkerTokens.WORKER_ID_MAX)
                                    .example("executor-01")
                                    .doc("Id of the worker that uses this token."))
                    .optional(description().orElse(""))
                    .optional(repositories().nullable())
                    .optional(types().nullable())
                    .optional(capabilities().nullable())
                    .optional(Expiries.at())
                    .optional(Expiries.inDays());

    static final ObjectSpec CHANGE =
            ObjectSpec.named("WorkerTokenChange")
                    .doc("What is left out stays as it is; null takes a restriction away.")
                    .optional(description())
                    .optional(repositories().nullable())
                    .optional(types().nullable())
                    .optional(capabilities().nullable())
                    .optional(Expiries.at().nullable())
                    .optional(Expiries.inDays())
                    .refuse(
                            List.of("workerId"),
                            "cannot be changed; make another token and deactivate this one");

    static final ObjectSpec ROTATE =
            ObjectSpec.named("WorkerTokenRotate")
                    .optional(
                            integer("overlapSeconds")
                                    .range(0, WorkerTokens.OVERLAP_MAX.toSeconds())
                                    .orElse(OVERLAP_DEFAULT_SECONDS)
                                    .doc("How long the earlier secrets stay valid."));

    private static TextField description() {
        return text("description")
                .length(0, WorkerTokens.DESCRIPTION_MAX)
                .doc("Description of the token, for your own lists.");
    }

    private static ListField repositories() {
        return list(REPOSITORIES)
                .doc(
                        "Repositories whose jobs the worker may take: full names in any case, or"
                                + " owner/* for all repositories of an owner. Left out: all"
                                + " repositories. Empty: none.");
    }

    private static ListField types() {
        return list(TYPES)
                .doc("Types of jobs that the worker may take. Left out: all types. Empty: none.");
    }

    private static ListField capabilities() {
        return list(CAPABILITIES)
                .doc(
                        "Capabilities that a job may require of the worker. Left out: any. Empty:"
                                + " none.");
    }

    private static ListField list(String name) {
        return array(name, text("entry").length(1, ENTRY_MAX)).items(0, WorkerTokens.LIST_MAX);
    }

    static final ObjectSpec TOKEN = token("WorkerToken");

    static final ObjectSpec MADE =
            token("WorkerTokenMade")
                    .required(
                            text("token")
                                    .pattern(
                                            "^"
                                                    + WorkerSecret.PREFIX
                                                    + "[0-9a-f]{"
                                                    + WorkerSecret.SECRET_HEX_DIGITS
                                                    + "}$")
                                    .example(WorkerSecret.PREFIX + "0123456789abcdef".repeat(4))
                                    .doc("The secret. Shown here and never again."));

    static final ObjectSpec LIST =
            ObjectSpec.answer("WorkerTokenList")
                    .required(objects("items", TOKEN))
                    .required(text("nextCursor").nullable());

    private static ObjectSpec token(String name) {
        return ObjectSpec.answer(name)
                .required(text("id").pattern(ID))
                .required(text("workerId"))
                .required(text("description"))
                .required(shown(REPOSITORIES))
                .required(shown(TYPES))
                .required(shown(CAPABILITIES))
                .required(bool("isActive").doc("Whether the token is accepted now."))
                .required(
                        oneOf(
                                "status",
                                Arrays.stream(WorkerToken.Status.values())
                                        .map(TokenSpecs::word)
                                        .toList()))
                .required(instant("createdAt"))
                .required(instant("expiresAt").nullable())
                .required(instant("rotatedAt").doc("When the current secret was created."))
                .required(
                        instant("formerSecretExpiresAt")
                                .nullable()
                                .doc(
                                        "Until when a replaced secret stays valid. Null if there is"
                                                + " none."))
                .required(
                        instant("lastUsedAt")
                                .nullable()
                                .doc("To within about a minute; null if never."))
                .required(
                        text("lastUsedFrom")
                                .nullable()
                                .doc("Address from which it was last used."));
    }

    private static Field shown(String name) {
        return array(name, text("entry")).nullable().doc("Null for no restriction.");
    }
}
