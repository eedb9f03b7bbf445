package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// What was and is delivered to webhooks: looking at it, and sending an event once more.
public final class Deliveries {
    private final Database database;
    private final WorkVerbs verbs;
    private final Ids ids;
    private final WebhookOptions options;

    Deliveries(Kernel kernel, WebhookOptions options) {
        this.database = kernel.database();
        this.verbs = kernel.verbs();
        this.ids = kernel.ids();
        this.options = options;
    }

    public List<Delivery> ofWebhook(
            UUID account,
            UUID webhook,
            Delivery.@Nullable State state,
            @Nullable Long before,
            int most) {
        return database.transaction(
                tx -> DeliverySql.ofEndpoint(tx, account, webhook, state, before, most));
    }

    public List<Delivery> ofItem(
            UUID account, String queue, UUID item, @Nullable UUID after, int most) {
        return database.transaction(
                tx -> DeliverySql.ofSubject(tx, account, queue, item, after, most));
    }

    public @Nullable Delivery get(UUID account, UUID id) {
        return database.transaction(tx -> DeliverySql.get(tx, account, id));
    }

    /// Sends the same event again, whatever became of the first delivery. Null when there is no
    /// such delivery, or no receiver for it.
    public @Nullable Delivery redeliver(Principal by, UUID id) {
        UUID account = by.accountId();
        return database.transaction(
                tx -> {
                    DeliverySql.Source source = DeliverySql.source(tx, account, id);
                    if (source == null) {
                        return null;
                    }
                    Long place = EndpointSql.moreToDeliver(tx, account, source.endpoint(), 1);
                    if (place == null) {
                        return null;
                    }
                    UUID again = ids.next(tx.nowMillis());
                    verbs.submit(
                            tx,
                            account,
                            List.of(
                                    FanOut.item(account, source.endpoint(), source.body(), options)
                                            .as(again)));
                    DeliverySql.insert(
                            tx,
                            account,
                            List.of(
                                    new DeliverySql.New(
                                            again,
                                            source.endpoint(),
                                            place,
                                            source.queue(),
                                            source.subject(),
                                            source.seq(),
                                            source.eventId(),
                                            source.eventName(),
                                            source.url(),
                                            id)));
                    Delivery made = DeliverySql.get(tx, account, again);
                    Webhooks.audit(
                            tx,
                            by,
                            "webhook.redeliver",
                            source.endpoint(),
                            Detail.none().text("delivery", again.toString()));
                    return made;
                });
    }
}
