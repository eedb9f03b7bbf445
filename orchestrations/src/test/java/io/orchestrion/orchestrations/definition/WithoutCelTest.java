package io.orchestrion.orchestrations.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;

class WithoutCelTest {
    /// Where there is no CEL.
    private static final class Loader extends ClassLoader {
        Loader() {
            super(WithoutCelTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.cel.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.orchestrion.orchestrations.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? own(name) : loaded;
        }

        private Class<?> own(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /// Reads a document and says how many findings there are.
    public static final class Reading implements Callable<Integer> {
        @Override
        public Integer call() {
            String document =
                    Documents.with(
                            "/steps/0/input",
                            "1",
                            "/steps/1/branches/1",
                            "{\"when\":{\"path\":\"$.input\",\"op\":\"exists\"},\"next\":\"terminal\"}");
            ReadDefinition read = Documents.read(document);
            Documents.definition(document).steps().forEach(StepSpec::stepIds);
            return read.findings().size();
        }
    }

    @Test
    void a_definition_without_expressions_loads_nothing_of_cel() throws Exception {
        var reading =
                (Callable<?>)
                        new Loader()
                                .loadClass(Reading.class.getName())
                                .getDeclaredConstructor()
                                .newInstance();

        assertThat(reading.getClass()).isNotEqualTo(Reading.class);
        assertThat(reading.call()).isEqualTo(0);
    }
}
