package io.orchestrion.orchestrations.definition;

import com.networknt.schema.SchemaException;

import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.schema.SchemaFault;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// The JSON Schemas of definitions: nothing is fetched, and all checks of one document or one value
/// share a budget.
public final class Schemas {
    private final JsonSchemas schemas;

    public Schemas(JsonSchemas schemas) {
        this.schemas = schemas;
    }

    /// What is wrong with a schema; null when it can be used.
    @Nullable SchemaFault fault(UUID account, String schema, CheckBudget budget) {
        try {
            return schemas.fault(account, schema, budget);
        } catch (SchemaException e) {
            return new SchemaFault("", "is too costly: " + e.getMessage());
        }
    }

    /// What is wrong with a value; empty when it fits.
    ///
    /// @param schema of a definition that was read without findings
    /// @param value as JSON text
    public List<SchemaFault> check(UUID account, String schema, String value) {
        return schemas.check(account, schema, value, new CheckBudget());
    }
}
