package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskError;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// The guidance of the errors about money.
class BillingContractTest {

    /// T-252, T-288, T-289, T-290, T-292: the way on first, and each is a call that exists.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "QUOTA_EXCEEDED  | 402 | false | upgrade_plan   | check_billing_status",
                "PLAN_EXPIRED    | 402 | false | renew_plan     | check_billing_status",
                "PAYMENT_FAILED  | 402 | false | retry_checkout | check_billing_status",
                "PAYMENT_PENDING | 409 | true  | retry_after_wait |"
                        + " verify_payment,check_billing_status",
            })
    void an_error_about_money_says_what_to_do(
            TaskError error, int status, boolean retryable, String best, String beside) {
        AgentContract contract = TaskActions.forError(error, "POST", "/v1/billing/verify");
        assertThat(error.status()).isEqualTo(status);
        assertThat(contract.retryable()).isEqualTo(retryable);
        List<NextAction> actions = contract.actions();
        assertThat(actions.getFirst().code().word()).isEqualTo(best);
        assertThat(actions.stream().filter(NextAction::recommended)).hasSize(1);
        assertThat(actions.getFirst().recommended()).isTrue();
        assertThat(actions.stream().skip(1).map(action -> action.code().word()))
                .containsExactly(beside.split(","));
        for (NextAction action : actions) {
            assertThat(action.available()).isTrue();
            assertThat(BillingEndpoints.CATALOGUE)
                    .anyMatch(
                            endpoint ->
                                    endpoint.method().equals(action.method())
                                            && endpoint.path().equals(action.endpoint()));
        }
    }
}
