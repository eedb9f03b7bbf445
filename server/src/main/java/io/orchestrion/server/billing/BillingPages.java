package io.orchestrion.server.billing;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.billing.LocalProvider.LocalOrder;
import io.orchestrion.server.door.Page;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Door;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;

import java.util.List;
import java.util.Set;

/// The pages that the human of a purchase meets, with a door of their own: their readers want
/// words and no JSON, and PayPal sends people back with a `token` in the address, which the tasks
/// door would take for a leaked key.
public final class BillingPages implements Door {
    private static final String NAME = "pages";

    private static final Endpoint APPROVE =
            page("approvePage", "/billing/approve/{orderId}", "Page of an order to approve");
    private static final Endpoint APPROVED =
            page("approvedPage", "/billing/approved", "Page after an approval at PayPal");
    private static final Endpoint CANCELLED =
            page("cancelledPage", "/billing/cancelled", "Page after a refusal at PayPal");

    public static final Catalogue CATALOGUE = new Catalogue(List.of(APPROVE, APPROVED, CANCELLED));

    private final Billing billing;

    public BillingPages(Billing billing) {
        this.billing = billing;
    }

    private static Endpoint page(String name, String path, String summary) {
        // PayPal adds parameters of its own to the address that it sends people back to.
        return Endpoint.get(name, path)
                .door(NAME)
                .access(Access.PUBLIC)
                .unknownQuery(ObjectSpec.Unknown.IGNORE)
                .summary(summary)
                .build();
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.door(this)
                .handle(APPROVE, this::approve)
                .handle(
                        APPROVED,
                        _ ->
                                new Page("Approved")
                                        .paragraph(
                                                "Thank you. Your agent can verify the payment now;"
                                                        + " only then is it taken and the plan"
                                                        + " activated.")
                                        .paragraph("You can close this page.")
                                        .answer(200))
                .handle(
                        CANCELLED,
                        _ ->
                                new Page("Not approved")
                                        .paragraph(
                                                "Nothing was paid and nothing has changed. The link"
                                                        + " that you were given still works for a"
                                                        + " while.")
                                        .answer(200));
    }

    private Answer approve(Call call) {
        LocalProvider local = billing.local();
        return local == null
                ? notFound(call)
                : local.find(call.pathParameter("orderId"))
                        .map(BillingPages::orderPage)
                        .orElseGet(() -> notFound(call));
    }

    private static Answer orderPage(LocalOrder order) {
        var page =
                new Page(order.description())
                        .paragraph("Price: " + order.price() + ".")
                        .paragraph(
                                "This server has no payment provider set up and stands in for one"
                                        + " itself: no money moves.");
        if (order.approved()) {
            page.paragraph("The order is approved. Your agent can verify it now.");
        } else {
            page.paragraph(
                            "Only the operator of this server can approve the order, on its"
                                    + " machine, with")
                    .command("./orchestrion billing approve " + order.id());
        }
        return page.answer(200);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean owns(String path) {
        return path.startsWith("/billing/");
    }

    @Override
    public Answer notFound(Call call) {
        return new Page("Not found").paragraph("There is nothing at this address.").answer(404);
    }

    @Override
    public Answer methodNotAllowed(Call call, Set<String> allowed) {
        return new Page("Not possible").paragraph("This page can only be read.").answer(405);
    }

    @Override
    public Answer refused(Call call, int status, String message) {
        return new Page("Not understood").paragraph(message).answer(status);
    }

    @Override
    public boolean expects(Throwable failure) {
        return StoreTrouble.expected(failure);
    }

    @Override
    public Answer failed(Call call, Throwable failure) {
        if (expects(failure)) {
            int wait = StoreTrouble.of(failure).waitSeconds();
            return overloaded(call, wait).with("Retry-After", String.valueOf(wait));
        }
        return new Page("Something went wrong")
                .paragraph("Please try again. The request id is " + call.requestId() + ".")
                .answer(500);
    }

    @Override
    public Answer overloaded(Call call, int retryAfterSeconds) {
        return new Page("Busy").paragraph("Please try again in a moment.").answer(503);
    }
}
