#!/bin/sh
# Charges a card, or undoes a charge, for `orchestrion worker --door tasks --types charge-card,undo-charge`.
#
#   LEDGER   the file that stands for the bank; ledger.txt unless set
#
# A key that the bank has seen is not charged again: that is what makes a second attempt harmless. An amount that
# ends in 13 cents goes through, and then the line goes dead.
set -eu
envelope=$(cat)
field() { printf '%s' "$envelope" | sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\).*/\1/p'; }
ledger=${LEDGER:-ledger.txt}
key=$(field idempotency_key)
order=$(field order)
touch "$ledger"

case $ORCHESTRION_JOB_TYPE in
undo-charge)
    echo "undoing the charge of order $order"
    echo "$key undone $order" >>"$ledger"
    echo '{"undone":true}' >"$ORCHESTRION_RESULT_FILE"
    ;;
*)
    cents=$(field cents)
    grep -q "^$key " "$ledger" || echo "$key charged $order $cents" >>"$ledger"
    case $cents in
    *13)
        echo '{"code":"line_dead","message":"The bank did not answer.","partial_side_effect":true}' >"$ORCHESTRION_ERROR_FILE"
        exit 75
        ;;
    esac
    echo "charged order $order with $cents cents"
    echo '{"receipt":"'"$(printf %.8s "$key")"'"}' >"$ORCHESTRION_RESULT_FILE"
    ;;
esac
