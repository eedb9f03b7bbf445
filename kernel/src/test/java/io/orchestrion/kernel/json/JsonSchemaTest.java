package io.orchestrion.kernel.json;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class JsonSchemaTest {
    private static final ObjectSpec REQUEST =
            ObjectSpec.named("TaskCreate")
                    .doc("A task to do.")
                    .required(
                            text("type")
                                    .length(1, 10)
                                    .pattern("^[a-z]+$")
                                    .doc("What kind of work."))
                    .required(object("payload").maxBytes(65_536).maxDepth(5))
                    .optional(integer("priority").range(0, 100).orElse(0))
                    .optional(oneOf("mode", "fast", "safe"))
                    .optional(text("workerId"))
                    .alias("workerId", "worker_id");

    private static final ObjectSpec TAG = ObjectSpec.answer("Tag").required(text("name"));
    private static final ObjectSpec ANSWER =
            ObjectSpec.answer("Task")
                    .required(oneOf("status", "pending", "done").nullable())
                    .required(instant("claimedAt").nullable())
                    .required(object("payload"))
                    .optional(any("result"))
                    .optional(number("cost").range("0", "1.5"))
                    .optional(object("owner", TAG).nullable())
                    .required(objects("tags", TAG).items(0, 2))
                    .optional(array("names", text("n")).unique());

    @Test
    void a_request_is_printed_with_its_bounds_docs_and_defaults() {
        assertThat(REQUEST.toJsonSchema())
                .isEqualTo(
                        "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\"TaskCreate\",\"description\":\"A"
                            + " task to"
                            + " do.\",\"type\":\"object\",\"properties\":{\"type\":{\"description\":\"What"
                            + " kind of work.\",\"type\":\"string\",\"minLength\":1,"
                            + "\"maxLength\":10,\"pattern\":\"^[a-z]+$\"},"
                            + "\"payload\":{\"type\":\"object\",\"x-maxBytes\":65536,\"x-maxDepth\":5},"
                            + "\"priority\":{\"type\":[\"integer\",\"null\"],\"minimum\":0,\"maximum\":100,\"default\":0},"
                            + "\"mode\":{\"type\":[\"string\",\"null\"],\"enum\":[\"fast\",\"safe\",null]},"
                            + "\"workerId\":{\"type\":[\"string\",\"null\"]},\"worker_id\":{\"description\":\"Another"
                            + " name of workerId.\",\"type\":[\"string\",\"null\"]}},"
                            + "\"required\":[\"type\",\"payload\"],\"additionalProperties\":false}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"status\":\"done\",\"claimedAt\":null,\"payload\":{\"x\":1},\"tags\":[{\"name\":\"a\"}]}"
                    + " | true",
                "{\"status\":null,\"claimedAt\":\"2030-01-01T00:00:00.000Z\",\"payload\":{},\"tags\":[],\"owner\":null}"
                    + " | true",
                "{\"status\":null,\"claimedAt\":null,\"payload\":{},\"tags\":[],\"result\":[1],\"cost\":1.5,\"names\":[\"a\"]}"
                    + " | true",
                "{\"status\":\"lost\",\"claimedAt\":null,\"payload\":{},\"tags\":[]} | false",
                "{\"status\":\"done\",\"payload\":{},\"tags\":[]} | false",
                "{\"status\":\"done\",\"claimedAt\":null,\"payload\":null,\"tags\":[]} | false",
                "{\"status\":\"done\",\"claimedAt\":null,\"payload\":{},\"tags\":[{}]} | false",
                "{\"status\":\"done\",\"claimedAt\":null,\"payload\":{},\"tags\":[{\"name\":\"a\",\"x\":1}]}"
                    + " | false",
                "{\"status\":\"done\",\"claimedAt\":null,\"payload\":{},\"tags\":[],\"extra\":1} |"
                        + " false",
                "{\"status\":\"done\",\"claimedAt\":null,\"payload\":{},\"tags\":[],\"cost\":1.6} |"
                        + " false"
            })
    void a_validator_reads_the_schema_of_an_answer_as_meant(String answer, boolean fits) {
        var schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(ANSWER.toJsonSchema(), InputFormat.JSON);
        assertThat(schema.validate(answer, InputFormat.JSON).isEmpty()).isEqualTo(fits);
    }

    @Test
    void named_objects_can_be_referred_to_instead_of_repeated() {
        String schema =
                JsonWriter.objectText(
                        out ->
                                ANSWER.writeSchema(
                                        out, spec -> "#/components/schemas/" + spec.name()));
        assertThat(schema)
                .contains(
                        "\"tags\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Tag\"}")
                .contains(
                        "\"owner\":{\"anyOf\":[{\"$ref\":\"#/components/schemas/Tag\"},{\"type\":\"null\"}]}");
        assertThat(ANSWER.nested()).isEqualTo(List.of(TAG));
    }

    @Test
    void an_open_object_takes_more_than_it_declares() {
        assertThat(ObjectSpec.answer("Open").unknown(ObjectSpec.Unknown.IGNORE).toJsonSchema())
                .doesNotContain("additionalProperties");
    }
}
