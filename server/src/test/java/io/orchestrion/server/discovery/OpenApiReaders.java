package io.orchestrion.server.discovery;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Two readers of OpenAPI documents that others wrote: the official schema of OpenAPI 3.1, and a
/// parser that follows references.
final class OpenApiReaders {
    private static final String OFFICIAL = "https://spec.openapis.org/oas/3.1/schema/2025-09-15";

    /// The official schema leaves it open which dialect schemas are written in; ours are plain JSON
    /// Schema 2020-12, and are held to it.
    private static final String WITH_DIALECT =
            """
            {
              "$id": "https://orchestrion.invalid/openapi-with-schemas",
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$ref": "%s",
              "$defs": {
                "schema": {
                  "$dynamicAnchor": "meta",
                  "$ref": "https://json-schema.org/draft/2020-12/schema"
                }
              }
            }
            """
                    .formatted(OFFICIAL);

    private static final Schema SCHEMA =
            SchemaRegistry.withDefaultDialect(
                            SpecificationVersion.DRAFT_2020_12,
                            builder -> builder.schemas(Map.of(OFFICIAL, official())))
                    .getSchema(WITH_DIALECT, InputFormat.JSON);

    private OpenApiReaders() {}

    private static String official() {
        try (InputStream in =
                OpenApiReaders.class.getResourceAsStream("/openapi/3.1/schema/2025-09-15")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the official schema has against the document.
    static List<Error> bySchema(String document) {
        return SCHEMA.validate(document, InputFormat.JSON);
    }

    static SwaggerParseResult parsed(String document) {
        var options = new ParseOptions();
        options.setResolve(true);
        return new OpenAPIV3Parser().readContents(document, null, options);
    }

    /// What the parser has against the document.
    static List<String> byParser(String document) {
        return parsed(document).getMessages();
    }
}
