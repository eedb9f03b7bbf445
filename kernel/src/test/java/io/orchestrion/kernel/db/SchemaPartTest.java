package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.Tables.Place;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class SchemaPartTest {
    private static SchemaPart part(String name) {
        return SchemaPart.of(name, SchemaPartTest.class);
    }

    @Test
    void the_kernel_is_first_and_engines_follow_as_they_were_added() {
        Schema schema =
                Schema.KERNEL
                        .plus(List.of(part("second").byAccount(List.of("b"))))
                        .plus(List.of(part("third").byAccount(List.of("a"))));
        assertThat(schema.parts())
                .extracting(SchemaPart::name)
                .containsExactly("kernel", "second", "third");
        assertThat(schema.at(Place.BY_ACCOUNT)).startsWith("account").endsWith("b", "a");
        assertThat(schema.size()).isEqualTo(Schema.KERNEL.size());
    }

    @Test
    void a_name_belongs_to_one_module() {
        assertThatThrownBy(() -> Schema.KERNEL.plus(List.of(part("kernel"))))
                .hasMessageContaining("part kernel");
        assertThatThrownBy(
                        () -> Schema.KERNEL.plus(List.of(part("one").byAccount(List.of("work")))))
                .hasMessageContaining("table work");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1__a.sql", "V1__a.sql", "V001_a.sql", "V001__A.sql", "R__a.sql", "V001"})
    void a_migration_that_runs_once_has_a_number(String file) {
        assertThatThrownBy(() -> part("one").once(List.of(file)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbers_only_grow() {
        assertThat(part("one").once(List.of("V001__a.sql", "V003__b.sql")).files()).hasSize(2);
        assertThatThrownBy(() -> part("one").once(List.of("V002__a.sql", "V001__b.sql")))
                .hasMessageContaining("out of order");
        assertThatThrownBy(() -> part("one").once(List.of("V001__a.sql", "V001__b.sql")))
                .hasMessageContaining("out of order");
    }
}
