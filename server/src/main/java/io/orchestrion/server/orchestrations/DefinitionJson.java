package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.orchestrations.execution.DefinitionVersion;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// Definitions as the door shows them.
final class DefinitionJson {
    private DefinitionJson() {}

    /// As lists have it.
    static void listed(JsonWriter out, UUID account, DefinitionVersion version) {
        DefinitionVersion.Times times = version.times();
        out.text("orchestration_definition_id", version.id().toString())
                .integer("version", version.version())
                .text("tenant_id", account.toString())
                .text("status", version.status().word())
                .text("name", version.name())
                .text("checksum", version.checksum())
                .instant("created_at", times.createdMs())
                .instant("updated_at", times.updatedMs());
        out.instantOrNull("published_at", times.publishedMs());
        out.instantOrNull("deprecated_at", times.deprecatedMs());
    }

    static void whole(JsonWriter out, UUID account, DefinitionVersion version) {
        listed(out, account, version);
        out.raw("document", version.document());
    }

    static void findings(JsonWriter out, List<Finding> findings) {
        out.objects("findings", findings, DefinitionJson::write);
    }

    static void write(JsonWriter out, Finding finding) {
        out.text("message", finding.message())
                .text("pointer", finding.pointer())
                .text("code", finding.code().word())
                .text("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                .text("level", finding.level().name().toLowerCase(Locale.ROOT))
                .text("hint", finding.hint());
    }
}
