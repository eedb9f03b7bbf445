package io.orchestrion.server.billing;

import io.orchestrion.server.billing.PayPalClient.Answer;
import io.orchestrion.server.billing.PayPalClient.NoAnswer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// PayPal's Orders API, version 2: an order with the intent to capture, approved by a human on
/// PayPal's own page (decision 22).
public final class PayPalProvider implements PaymentProvider {
    private static final Logger log = LoggerFactory.getLogger(PayPalProvider.class);
    public static final String NAME = "paypal";

    private static final String ORDERS = "/v2/checkout/orders";

    /// Refusals of a capture that mean that there will be no money. Any other refusal may come of
    /// another request at the same time, or be a new one, and is no reason to give up a payment.
    private static final Set<String> NO_MONEY =
            Set.of(
                    "INSTRUMENT_DECLINED",
                    "TRANSACTION_REFUSED",
                    "TRANSACTION_LIMIT_EXCEEDED",
                    "TRANSACTION_BLOCKED_BY_PAYEE",
                    "PAYER_CANNOT_PAY",
                    "PAYER_ACCOUNT_RESTRICTED",
                    "PAYER_ACCOUNT_LOCKED_OR_CLOSED",
                    "PAYEE_BLOCKED_TRANSACTION",
                    "COMPLIANCE_VIOLATION",
                    "MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED",
                    "CARD_EXPIRED",
                    "CARD_CLOSED");

    /// Refusals after which the human can still pay, on PayPal's page.
    private static final Set<String> ASK_THE_HUMAN =
            Set.of(
                    "ORDER_NOT_APPROVED",
                    "PAYER_ACTION_REQUIRED",
                    "REDIRECT_PAYER_FOR_ALTERNATE_FUNDING");

    private final PayPalClient client;
    private final PublicAddress address;

    public PayPalProvider(PayPalOptions options, PublicAddress address) {
        this.client = new PayPalClient(options);
        this.address = address;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "PayPal";
    }

    @Override
    public Creation create(NewOrder order) {
        try {
            String requestId = "order-" + order.purchaseId();
            Answer answer = client.post(ORDERS, orderBody(order), requestId);
            String id = answer.body().path("id").asString("");
            String approval = approvalLink(answer.body());
            return answer.good() && id.matches("[A-Za-z0-9-]{1,64}") && !approval.isEmpty()
                    ? new Creation.Created(id, approval)
                    : new Creation.Failed("PayPal made no order: " + answer.shown());
        } catch (NoAnswer e) {
            return new Creation.Failed(String.valueOf(e.getMessage()));
        }
    }

    private ObjectNode orderBody(NewOrder order) {
        String id = order.purchaseId().toString();
        ObjectNode body = PayPalClient.JSON.createObjectNode().put("intent", "CAPTURE");
        body.putArray("purchase_units")
                .addObject()
                .put("custom_id", id)
                .put("invoice_id", id)
                .put("description", order.description())
                .putObject("amount")
                .put("currency_code", order.price().currency())
                .put("value", order.price().exact());
        body.putObject("payment_source")
                .putObject("paypal")
                .putObject("experience_context")
                .put("brand_name", "Orchestrion")
                .put("shipping_preference", "NO_SHIPPING")
                .put("user_action", "PAY_NOW")
                .put("return_url", address.of("/billing/approved"))
                .put("cancel_url", address.of("/billing/cancelled"));
        return body;
    }

    private static String approvalLink(JsonNode order) {
        for (JsonNode link : order.path("links").values()) {
            String rel = link.path("rel").asString("");
            String href = link.path("href").asString("");
            if ((rel.equals("payer-action") || rel.equals("approve"))
                    && href.matches("https?://[!-~]{1,2000}")) {
                return href;
            }
        }
        return "";
    }

    @Override
    public OrderState look(String orderId) {
        try {
            Answer answer = client.get(path(orderId));
            if (answer.status() == 404) {
                return new OrderState.Gone();
            }
            return answer.good() ? stateOf(answer.body()) : unknown("a look", answer);
        } catch (NoAnswer e) {
            return new OrderState.Unknown(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public OrderState capture(String orderId, String requestId) {
        try {
            Answer answer =
                    client.post(
                            path(orderId) + "/capture",
                            PayPalClient.JSON.createObjectNode(),
                            requestId);
            if (answer.good()) {
                return stateOf(answer.body());
            }
            return answer.status() == 422 ? refused(answer) : unknown("a capture", answer);
        } catch (NoAnswer e) {
            return new OrderState.Unknown(String.valueOf(e.getMessage()));
        }
    }

    private static OrderState refused(Answer answer) {
        String issue = answer.issue();
        if (ASK_THE_HUMAN.contains(issue)) {
            return new OrderState.NotApproved();
        }
        return NO_MONEY.contains(issue)
                ? new OrderState.Declined(issue)
                : unknown("a capture", answer);
    }

    private static OrderState unknown(String what, Answer answer) {
        log.warn("PayPal answered {} with {}", what, answer.shown());
        return new OrderState.Unknown("PayPal answered " + answer.shown());
    }

    private static String path(String orderId) {
        return ORDERS + "/" + URLEncoder.encode(orderId, StandardCharsets.UTF_8);
    }

    /// Captures say more than the order's own status: a completed order may have one that is
    /// pending.
    private static OrderState stateOf(JsonNode order) {
        JsonNode unit = order.at("/purchase_units/0");
        JsonNode capture = decisive(unit.at("/payments/captures"));
        try {
            if (!capture.isMissingNode()) {
                return ofCapture(capture);
            }
            String status = order.path("status").asString("");
            return switch (status) {
                case "CREATED", "SAVED", "PAYER_ACTION_REQUIRED" -> new OrderState.NotApproved();
                case "APPROVED" -> new OrderState.Approved(money(unit.path("amount")));
                case "VOIDED" -> new OrderState.Declined("VOIDED");
                default -> new OrderState.Unknown("PayPal gave an order without a known status");
            };
        } catch (ArithmeticException | NumberFormatException e) {
            return new OrderState.Unknown("PayPal gave an amount that is none");
        }
    }

    /// An order has one; after a decline and another try it may have more.
    private static JsonNode decisive(JsonNode captures) {
        JsonNode found = captures.path(captures.size() - 1);
        for (JsonNode capture : captures.values()) {
            if (capture.path("status").asString("").equals("COMPLETED")) {
                return capture;
            }
        }
        return found;
    }

    private static OrderState ofCapture(JsonNode capture) {
        String id = capture.path("id").asString("");
        String status = capture.path("status").asString("");
        return switch (status) {
            case "COMPLETED" -> new OrderState.Completed(money(capture.path("amount")), id);
            case "PENDING" ->
                    new OrderState.Pending(
                            id, word(capture.at("/status_details/reason").asString("")));
            case "DECLINED", "FAILED", "REFUNDED", "PARTIALLY_REFUNDED" ->
                    new OrderState.Declined(status);
            default -> new OrderState.Unknown("PayPal gave a capture without a known status");
        };
    }

    /// Only what looks like a code of PayPal's is passed on.
    private static String word(String text) {
        return text.matches("[A-Z0-9_]{1,80}") ? text : "PENDING";
    }

    private static Money money(JsonNode amount) {
        return Money.of(
                new BigDecimal(amount.path("value").asString("")),
                amount.path("currency_code").asString(""));
    }

    @Override
    public void close() {
        client.close();
    }
}
