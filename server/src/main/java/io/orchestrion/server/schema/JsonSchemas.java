package io.orchestrion.server.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;

import io.orchestrion.kernel.memory.WeighedMap;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;

/// Schemas of draft 2020-12 as accounts hand them in. Nothing is ever fetched: a schema is what it
/// says, and one account's cannot mean anything to another's.
public final class JsonSchemas {
    static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    /// The grammar has some sixty keywords for each subschema, and a schema of 64 KB thousands.
    private static final int GRAMMAR_STEPS = 2_000_000;

    /// Compiled schemas are kept while their texts are so long in all.
    private static final long KEPT_CHARACTERS = 4L << 20;

    private static final JsonMapper JSON =
            // What comes here was bounded by the door, which knows no bound for a name alone.
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNameLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();

    /// Keywords that it does not know mean nothing, and are no news for the log.
    private static final Dialect DRAFT =
            Dialect.builder(Dialects.getDraft202012())
                    .unknownKeywordFactory((keyword, _) -> new NonValidationKeyword(keyword))
                    .build();

    /// The schema of schemas.
    private static final class Grammar {
        static final Schema SCHEMA = registry().getSchema(SchemaLocation.of(DIALECT));
    }

    private record Kept(CompiledSchema schema, int characters) {}

    private final WeighedMap<String, Kept> compiled =
            new WeighedMap<>(KEPT_CHARACTERS, Kept::characters);

    /// What is wrong with a schema that somebody wants to register; null when it can be used.
    public static @Nullable SchemaFault fault(String text) {
        JsonNode schema = read(text);
        List<SchemaFault> faults = new CompiledSchema(Grammar.SCHEMA, GRAMMAR_STEPS).check(schema);
        if (!faults.isEmpty()) {
            return faults.getFirst();
        }
        SchemaFault walked = SchemaWalk.fault(schema);
        if (walked != null) {
            return walked;
        }
        try {
            // One that never ends says so at the first object it meets.
            return compile(schema).costOf(JSON.createObjectNode());
        } catch (SchemaException e) {
            return new SchemaFault("", String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            return new SchemaFault("", "is nested too deep");
        }
    }

    /// What is wrong with a document; empty when it fits.
    ///
    /// @param schema one in which no fault was found
    public List<SchemaFault> check(String schema, String document) {
        Kept kept = compiled.get(schema);
        if (kept == null) {
            kept = new Kept(compile(read(schema)), schema.length());
            compiled.put(schema, kept);
        }
        return kept.schema().check(read(document));
    }

    private static JsonNode read(String text) {
        return JSON.readTree(text);
    }

    private static CompiledSchema compile(JsonNode schema) {
        // Without a name of its own, every reference in it is one within it.
        JsonNode nameless = schema.deepCopy();
        if (nameless instanceof ObjectNode object) {
            object.remove("$id");
            object.remove("$schema");
        }
        Schema made = registry().getSchema(nameless);
        made.initializeValidators();
        return new CompiledSchema(made, CompiledSchema.STEPS);
    }

    /// One for each schema: what one registers there, no other can see.
    private static SchemaRegistry registry() {
        var config =
                SchemaRegistryConfig.builder()
                        // The words must not depend on where the server runs.
                        .locale(Locale.ROOT)
                        .regularExpressionFactory(BoundedRegex::new)
                        .build();
        return SchemaRegistry.withDefaultDialect(
                DRAFT,
                registry ->
                        registry.schemaCacheEnabled(false)
                                .schemaRegistryConfig(config)
                                .schemaLoader(
                                        loader ->
                                                loader.allow(
                                                        iri ->
                                                                iri.toString()
                                                                        .startsWith(
                                                                                "https://json-schema.org/draft/2020-12/"))));
    }
}
