package io.orchestrion.app;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

import io.orchestrion.server.ops.Logging;

/// Found by logback as a service: until `serve` knows its settings, only warnings are shown.
/// Without it logback would search the class path for files and then print every debug line.
public final class EarlyLogging extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Logging.warningsOnly(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
