#!/bin/sh
# Reserves the goods of an order, for `orchestrion worker --door tasks --types reserve-stock`. The step's envelope
# comes on standard input; what is written to the result file is the result of the step.
set -eu
order=$(sed -n 's/.*"order": *"\([^"]*\)".*/\1/p')
echo "reserving the goods of order $order, attempt $ORCHESTRION_JOB_ATTEMPT"
echo '{"shelf":"B7"}' >"$ORCHESTRION_RESULT_FILE"
