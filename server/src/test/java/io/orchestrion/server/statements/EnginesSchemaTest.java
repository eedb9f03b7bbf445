package io.orchestrion.server.statements;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.kernel.db.Tables.Place;
import io.orchestrion.testkit.SchemaRules;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What `SchemaTest` holds the kernel's tables to, for those of all modules: engines bring theirs.
class EnginesSchemaTest {
    private static final Path ROOT = Path.of(System.getProperty("orchestrion.root", ".."));

    @Test
    void account_id_leads_every_key_of_a_table_by_account() {
        try (TestDatabase kernel = TestPostgres.get().newDatabase();
                TestDatabase all = TestPostgres.get().newDatabase(EveryPart.SCHEMA)) {
            var added = new ArrayList<>(SchemaRules.keysWithoutAccount(all));
            added.removeAll(SchemaRules.keysWithoutAccount(kernel));
            assertThat(added).as("see SchemaTest for the reasons of those that may").isEmpty();
            assertThat(EveryPart.SCHEMA.at(Place.AT_THE_ENTRY))
                    .containsAll(SchemaRules.tablesWithoutAccount(all));
        }
    }

    /// One that is not on the list of its part would lie there and never run.
    @Test
    void every_migration_of_every_module_is_in_its_part() throws IOException {
        var lying = new ArrayList<String>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path resources = module.resolve("src/main/resources");
                String name = module.getFileName().toString();
                if (Files.isDirectory(resources) && !name.equals("testkit")) {
                    lying.addAll(migrations(name, resources));
                }
            }
        }
        List<String> listed =
                EveryPart.SCHEMA.parts().stream()
                        .flatMap(part -> part.files().stream().map(file -> named(part, file)))
                        .toList();
        assertThat(lying).containsExactlyInAnyOrderElementsOf(listed);
        assertThat(listed).hasSizeGreaterThanOrEqualTo(Schema.KERNEL.size());
    }

    /// The part of an engine has the name of its module.
    private static String named(SchemaPart part, String file) {
        return part.name() + "/" + file;
    }

    private static List<String> migrations(String module, Path resources) throws IOException {
        try (Stream<Path> files = Files.walk(resources)) {
            return files.filter(file -> file.toString().endsWith(".sql"))
                    .filter(file -> file.getParent().endsWith("migration"))
                    .map(file -> module + "/" + file.getFileName())
                    .toList();
        }
    }
}
