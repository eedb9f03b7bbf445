package io.orchestrion.server;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.Migrator;
import io.orchestrion.kernel.db.Room;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.kernel.work.RetentionRule;
import io.orchestrion.postgres.PostgresHost;
import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.billing.PayPalOptions;
import io.orchestrion.server.doors.DoorPlug;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.http.PortTaken;
import io.orchestrion.server.limits.Offer;
import io.orchestrion.server.observe.MetricsListener;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.ops.Engine;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.ProductVersion;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

/// What `serve` runs: migrations, kernel, doors.
public final class ServerEngine implements Engine {
    private static final Logger log = LoggerFactory.getLogger(ServerEngine.class);
    private static final int ADMIN_PERCENT_OF_HEAP = 5;

    @Override
    public Running start(OpenDatabase database, Settings settings) throws StartFailure {
        Offer offer = offer(settings.plansFile());
        var observer =
                new Observer(settings.observe(), ProductVersion.current().toString(), Doors.ALL);
        var kernel =
                new Kernel(
                        options(database, settings)
                                .withPlans(offer.plans())
                                .withSignals(observer)
                                .withRoom(room(database.host())));
        try {
            migrate(kernel);
            Path keyFile = LocalKey.in(settings.data(), kernel.identity());
            OidcOptions oidc = oidc(settings, kernel);
            ServerOptions served =
                    ServerOptions.on(
                                    HttpOptions.on(settings.host(), settings.port())
                                            .withTrustedProxies(settings.trustedProxies())
                                            .withMemory(
                                                    HttpOptions.Memory.ofHeap(
                                                            settings.inFlightPercent())),
                                    ProductVersion.current().toString())
                            .withLimits(offer.limits())
                            .withBilling(billing(settings))
                            .withOidc(oidc)
                            .withHost(database.host());
            for (DoorPlug door : Doors.ALL) {
                served = door.configured(served, settings);
            }
            OrchestrionServer server =
                    OrchestrionServer.start(kernel, served, administration(settings));
            log(server.adminPort());
            server.startDoors();
            MetricsListener metrics = metrics(settings, observer);
            kernel.start();
            return new Serving(
                    server,
                    keyFile,
                    Duration.ofSeconds(settings.drainSeconds()),
                    observer,
                    metrics);
        } catch (PortTaken e) {
            kernel.close();
            throw new StartFailure(
                    ExitCode.PORT_TAKEN,
                    "cannot listen on "
                            + (Objects.equals(settings.adminPort(), e.port())
                                    ? settings.adminHost()
                                    : settings.host())
                            + ":"
                            + e.port(),
                    e);
        } catch (IOException e) {
            kernel.close();
            throw new StartFailure(
                    ExitCode.DATA_NOT_WRITABLE,
                    "the key file in " + settings.data() + " cannot be written",
                    e);
        } catch (StoreException e) {
            kernel.close();
            throw new StartFailure(
                    ExitCode.DATABASE_FAILED, "the database failed: " + e.getMessage(), e);
        } catch (StartFailure | RuntimeException e) {
            kernel.close();
            throw e;
        }
    }

    static Offer offer(@Nullable Path file) throws StartFailure {
        if (file == null) {
            return new Offer(Plans.PUBLISHED, Doors.LIMITS);
        }
        try {
            return Offer.read(Files.readAllBytes(file), Doors.LIMITS);
        } catch (IOException e) {
            throw new StartFailure(ExitCode.BAD_SETTINGS, "plans-file cannot be read: " + file, e);
        } catch (Offer.Unreadable e) {
            throw new StartFailure(
                    ExitCode.BAD_SETTINGS, "plans-file " + file + ": " + e.getMessage(), e);
        }
    }

    static void migrate(Kernel kernel) throws StartFailure {
        try {
            kernel.migrate();
        } catch (SQLException e) {
            throw new StartFailure(
                    ExitCode.DATABASE_FAILED,
                    "the schema could not be brought up to date: " + e.getMessage(),
                    e);
        } catch (Migrator.ServerTooOld | Migrator.SchemaTooNew e) {
            throw new StartFailure(ExitCode.DATABASE_VERSION, String.valueOf(e.getMessage()), e);
        }
    }

    static KernelOptions options(OpenDatabase database, Settings settings) {
        return KernelOptions.on(
                        DatabaseOptions.of(
                                        database.jdbcUrl(),
                                        orEmpty(database.user()),
                                        orEmpty(database.password()))
                                .withPoolSize(settings.poolSize()))
                .withRetention(retention(settings))
                .withSchema(Doors.SCHEMA)
                .withOwners(Doors.OWNERS)
                .withSubjects(Doors.SUBJECTS)
                .withWork(
                        new Work.Options(
                                settings.committers(),
                                settings.queueBound(),
                                Work.Options.DEFAULT.batch(),
                                Duration.ofSeconds(settings.requestTimeoutSeconds())))
                .withPace(
                        Duration.ofMillis(settings.sweepIntervalMillis()),
                        KernelOptions.KEYS_BELIEVED,
                        settings.wakeHints());
    }

    private static RetentionRule retention(Settings settings) {
        RetentionRule rule = RetentionRule.withUnlimited(Duration.ofDays(settings.retentionDays()));
        for (DoorPlug door : Doors.ALL) {
            rule = door.retention(rule, settings);
        }
        return rule;
    }

    private static Room room(@Nullable PostgresHost host) {
        if (host == null) {
            return Room.UNKNOWN;
        }
        return new Room() {
            @Override
            public boolean full() {
                return host.full();
            }

            @Override
            public void make() {
                host.makeRoom();
            }
        };
    }

    private static BillingOptions billing(Settings settings) {
        String id = settings.payPalClientId();
        String secret = settings.payPalClientSecret();
        if (id == null) {
            log.info("no payment provider is set up: plans cost nothing, the operator approves");
        } else {
            log.info("payments are taken by PayPal at {}", settings.payPalUrl());
        }
        return new BillingOptions(
                settings.publicUrl(),
                id == null || secret == null
                        ? null
                        : PayPalOptions.of(settings.payPalUrl(), id, secret));
    }

    /// Calls of an operator are few and small.
    private static @Nullable HttpOptions administration(Settings settings) {
        Integer port = settings.adminPort();
        return port == null
                ? null
                : HttpOptions.on(settings.adminHost(), port)
                        .withTrustedProxies(settings.trustedProxies())
                        .withMemory(HttpOptions.Memory.ofHeap(ADMIN_PERCENT_OF_HEAP));
    }

    private static void log(@Nullable Integer adminPort) {
        if (adminPort != null) {
            log.atInfo()
                    .addKeyValue("admin_port", adminPort)
                    .log("administration is at port {} alone", adminPort);
        }
    }

    private static @Nullable MetricsListener metrics(Settings settings, Observer observer)
            throws StartFailure {
        Integer port = settings.metricsPort();
        if (port == null) {
            return null;
        }
        try {
            var listener = MetricsListener.start(settings.metricsHost(), port, observer.metrics());
            log.atInfo()
                    .addKeyValue("metrics_port", listener.port())
                    .log("metrics are at port {} without a key", listener.port());
            return listener;
        } catch (IOException e) {
            throw new StartFailure(
                    ExitCode.PORT_TAKEN,
                    "cannot listen for metrics on " + settings.metricsHost() + ":" + port,
                    e);
        }
    }

    private static @Nullable OidcOptions oidc(Settings settings, Kernel kernel)
            throws StartFailure {
        OidcOptions oidc = settings.oidc();
        if (oidc != null) {
            if (!kernel.identity().exists(oidc.account())) {
                throw new StartFailure(
                        ExitCode.BAD_SETTINGS, "oidc-account names no account: " + oidc.account());
            }
            log.info("workers may show tokens of {} for {}", oidc.issuer(), oidc.audiences());
        }
        return oidc;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private record Serving(
            OrchestrionServer server,
            Path file,
            Duration drainTime,
            Observer observer,
            @Nullable MetricsListener metrics)
            implements Running {
        @Override
        public int port() {
            return server.port();
        }

        @Override
        public String keyFile() {
            return file.toString();
        }

        @Override
        public void drain() {
            server.drain(drainTime);
        }

        @Override
        public void close() {
            if (metrics != null) {
                metrics.close();
            }
            server.close();
            // Last: what the others do while they end is still told.
            observer.close();
        }
    }
}
