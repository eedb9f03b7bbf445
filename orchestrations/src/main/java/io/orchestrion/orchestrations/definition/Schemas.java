package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.SchemaReader;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.schema.SchemaFault;

import java.util.List;
import java.util.UUID;

/// The JSON Schemas of definitions: nothing is fetched, and all checks of one document or one value
/// share a budget.
public final class Schemas {
    private final JsonSchemas schemas;

    public Schemas(JsonSchemas schemas) {
        this.schemas = schemas;
    }

    /// Reads the schemas of one document.
    SchemaReader reader(UUID account) {
        return SchemaReader.checking(schemas, account, new CheckBudget());
    }

    /// What is wrong with a value; empty when it fits.
    ///
    /// @param schema of a definition that was read without findings
    /// @param value as JSON text
    public List<SchemaFault> check(UUID account, String schema, String value) {
        return schemas.check(account, schema, value, new CheckBudget());
    }
}
