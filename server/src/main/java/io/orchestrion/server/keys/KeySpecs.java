package io.orchestrion.server.keys;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.identity.KeyView;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.json.ListField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.door.Expiries;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The bodies of the key endpoints, in and out.
final class KeySpecs {
    private KeySpecs() {}

    static final int NAME_MAX = 200;
    static final int LIST_MAX = 200;
    static final int LIST_DEFAULT = 100;
    static final List<String> SCOPES = Arrays.stream(Scope.values()).map(Scope::word).toList();

    private static final List<String> STATUSES =
            Arrays.stream(KeyView.Status.values()).map(KeySpecs::word).toList();

    static String word(KeyView.Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    static final ObjectSpec REGISTER =
            ObjectSpec.named("KeyRegister")
                    .optional(
                            text("name")
                                    .length(1, NAME_MAX)
                                    .orElse("default")
                                    .doc("Name of the account, for your own lists."));

    static final ObjectSpec CREATE =
            ObjectSpec.named("KeyCreate")
                    .required(name())
                    .optional(
                            scopes().items(1, SCOPES.size())
                                    .unique()
                                    .doc(
                                            "Scopes of the key. They must be among those of the"
                                                    + " calling key, which are the default."))
                    .optional(Expiries.at())
                    .optional(Expiries.inDays());

    static final ObjectSpec RENAME =
            ObjectSpec.named("KeyRename")
                    .required(name())
                    .refuse(
                            List.of("scopes", "expiresAt", "expiresInDays"),
                            "cannot be changed; make another key and revoke this one");

    private static TextField name() {
        return text("name").length(1, NAME_MAX).doc("Name of the key, for your own lists.");
    }

    private static ListField scopes() {
        return array("scopes", oneOf("scope", SCOPES));
    }

    private static TextField secret() {
        return text("apiKey")
                .pattern("^orch_live_[0-9a-f]{64}$")
                .doc("Shown here and never again.");
    }

    static final ObjectSpec KEY =
            ObjectSpec.answer("Key")
                    .required(text("id").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("name"))
                    .required(scopes())
                    .required(oneOf("status", STATUSES))
                    .required(bool("current").doc("Whether it is the key that asks."))
                    .required(instant("createdAt"))
                    .required(instant("expiresAt").nullable())
                    .required(instant("revokedAt").nullable())
                    .required(
                            instant("lastUsedAt")
                                    .nullable()
                                    .doc("To within about a minute; null if never."));

    static final ObjectSpec REGISTER_ANSWER =
            ObjectSpec.answer("KeyRegistered")
                    .required(secret())
                    .required(text("accountId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("keyId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("plan"))
                    .required(instant("createdAt"))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec CREATE_ANSWER =
            ObjectSpec.answer("KeyCreated")
                    .required(secret())
                    .required(object("key", KEY))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec KEY_ANSWER =
            ObjectSpec.answer("KeyAnswer")
                    .required(object("key", KEY))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("KeyList")
                    .required(objects("keys", KEY))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
