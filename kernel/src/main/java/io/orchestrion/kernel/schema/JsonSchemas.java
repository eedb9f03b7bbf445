package io.orchestrion.kernel.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.keyword.NonValidationKeyword;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.memory.WeighedMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Schemas of draft 2020-12 as accounts hand them in. Nothing is ever fetched: a schema is what it
/// says, and one account's cannot mean anything to another's.
public final class JsonSchemas {
    private static final Logger log = LoggerFactory.getLogger(JsonSchemas.class);

    static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    /// About how much memory the compiled schemas that are kept may take together.
    private static final long KEPT_BYTES = 64L << 20;

    private static final int BYTES_OF_SUBSCHEMA = 1_000;
    private static final int BYTES_OF_PART = 50;
    private static final int BYTES_OF_CHARACTER = 16;

    /// How many characters of a schema are read and compiled in one step.
    private static final int CHARACTERS = 4;

    private static final JsonMapper JSON =
            // The door has bounded the text already. It knows no bound for a name alone.
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNameLength(Integer.MAX_VALUE)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();

    private static final Dialect DRAFT = dialect();

    /// The schema of schemas.
    private static final class Grammar {
        static final CompiledSchema SCHEMA =
                CompiledSchema.usable(registry().getSchema(SchemaLocation.of(DIALECT)));
    }

    private record Kept(CompiledSchema schema, long bytes) {}

    private final WeighedMap<String, Kept> compiled = new WeighedMap<>(KEPT_BYTES, Kept::bytes);
    private final HeavyChecks heavy;

    public JsonSchemas(Failpoints failpoints) {
        heavy = new HeavyChecks(failpoints, HeavyChecks.THREADS);
    }

    /// Why a schema cannot be registered; null when it can.
    ///
    /// @throws ChecksBusy if it takes long and too many others wait
    public @Nullable SchemaFault fault(UUID account, String text, CheckBudget budget) {
        return within(account, budget, () -> Optional.ofNullable(fault(text, budget))).orElse(null);
    }

    /// Why a document does not match; empty when it does.
    ///
    /// @param schema one in which no fault was found
    /// @throws ChecksBusy if it takes long and too many others wait
    public List<SchemaFault> check(
            UUID account, String schema, String document, CheckBudget budget) {
        try {
            return within(
                    account,
                    budget,
                    () -> {
                        budget.charge(document.length() / BoundedRun.CHARACTERS);
                        return compiled(schema, budget).check(read(document), budget);
                    });
        } catch (TooCostly e) {
            return List.of(CompiledSchema.tooCostly(e));
        }
    }

    /// Begins where the request is, and goes elsewhere when it takes longer than that.
    private <T> T within(UUID account, CheckBudget budget, Supplier<T> check) {
        // If the budget is used up already, this fails without a thread.
        budget.charge(0);
        if (budget.inline()) {
            try {
                return check.get();
            } catch (NotInline e) {
                budget.moveAway();
            }
        }
        return heavy.run(account, check::get);
    }

    private static @Nullable SchemaFault fault(String text, CheckBudget budget) {
        try {
            budget.charge(text.length() / CHARACTERS);
            JsonNode schema = read(text);
            List<SchemaFault> faults = Grammar.SCHEMA.check(schema, budget);
            // A schema without end fails at the first object that it meets.
            return faults.isEmpty()
                    ? compile(schema, SchemaWalk.of(schema)).costOf(JSON.createObjectNode(), budget)
                    : faults.getFirst();
        } catch (TooCostly e) {
            return new SchemaFault("", "is too costly: " + e.getMessage());
        } catch (StackOverflowError e) {
            return new SchemaFault("", "is nested too deep");
        }
    }

    private CompiledSchema compiled(String text, CheckBudget budget) {
        Kept kept = compiled.get(text);
        if (kept == null) {
            budget.charge(text.length() / CHARACTERS);
            JsonNode schema = read(text);
            SchemaWalk walk = SchemaWalk.of(schema);
            CompiledSchema made = compile(schema, walk);
            if (walk.fault() != null) {
                log.warn(
                        "a registered schema can no longer be used: {}", walk.fault().of("schema"));
            }
            kept =
                    new Kept(
                            made,
                            (long) text.length() * BYTES_OF_CHARACTER
                                    + (long) walk.subschemas() * BYTES_OF_SUBSCHEMA
                                    + (long) walk.parts() * BYTES_OF_PART);
            compiled.put(text, kept);
        }
        return kept.schema();
    }

    private static JsonNode read(String text) {
        return JSON.readTree(text);
    }

    private static CompiledSchema compile(JsonNode schema, SchemaWalk walk) {
        SchemaFault fault = walk.fault();
        if (fault != null) {
            return CompiledSchema.unusable(fault);
        }
        // Without a name of its own, every reference in it is one within it.
        JsonNode nameless = schema.deepCopy();
        if (nameless instanceof ObjectNode object) {
            object.remove("$id");
            object.remove("$schema");
        }
        try {
            Schema made = registry().getSchema(nameless);
            made.initializeValidators();
            return CompiledSchema.usable(made);
        } catch (SchemaException e) {
            return CompiledSchema.unusable(new SchemaFault("", String.valueOf(e.getMessage())));
        } catch (StackOverflowError e) {
            return CompiledSchema.unusable(new SchemaFault("", "is nested too deep"));
        }
    }

    private static Dialect dialect() {
        Dialect draft = Dialects.getDraft202012();
        Dialect.Builder counted =
                Dialect.builder(draft)
                        // Keywords that it does not know mean nothing, and are no news for the log.
                        .unknownKeywordFactory((keyword, _) -> new NonValidationKeyword(keyword))
                        .formatKeywordFactory(Descriptive::new);
        for (Keyword keyword : draft.getKeywords().values()) {
            if (!(keyword instanceof FormatKeyword)) {
                counted.keyword(new CountedKeyword(keyword));
            }
        }
        NumberKeyword.all().forEach(keyword -> counted.keyword(new CountedKeyword(keyword)));
        return counted.keyword(new CountedKeyword(new UniqueItems())).build();
    }

    /// Formats say what a text is meant to be, and nothing is done about it.
    private static final class Descriptive extends FormatKeyword {
        Descriptive(Map<String, Format> formats) {
            super(formats);
        }

        @Override
        public KeywordValidator newValidator(
                SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
            return new NonValidationKeyword(getValue())
                    .newValidator(location, value, parent, context);
        }
    }

    /// A registry for each schema, so that no schema can see what another registers.
    private static SchemaRegistry registry() {
        var config =
                SchemaRegistryConfig.builder()
                        // The words must not depend on where the server runs.
                        .locale(Locale.ROOT)
                        .regularExpressionFactory(LinearRegex::new)
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
