#!/bin/sh
# Does one job for `orchestrion worker`: fetches the job's repository into a folder of its own and lets an agent work
# there. The agent reads the payload, with whatever it asks for; what it prints is the job's log.
#
#   AGENT      a command in place of codex; it reads the payload from its standard input
#   GIT_HOST   where repositories are fetched from; https://github.com unless set
#
# Exit codes: 65 and 69 will not be better next time (--fatal-codes 65,69), 75 may be; else the agent's own.
set -eu

say() { printf '%s\n' "$*"; }
fail() { code=$1; shift; say "$*" >&2; exit "$code"; }

folder=$(mktemp -d "${TMPDIR:-/tmp}/orchestrion-job-XXXXXX")
trap 'rm -rf "$folder"' EXIT
# A cancelled job gets TERM, with everything that it has started; leaving cleans up.
trap 'exit 143' TERM INT

cat >"$folder/payload.json"
mkdir "$folder/work"
cd "$folder/work"

repository=${ORCHESTRION_JOB_REPOSITORY:-}
if [ -n "$repository" ]; then
    case $repository in
    */*/* | *..* | -* | *[!A-Za-z0-9._/-]*) fail 65 "not a repository: $repository" ;;
    esac
    command -v git >/dev/null || fail 69 "this worker has no git"
    say "fetching $repository"
    git clone --quiet --depth 1 "${GIT_HOST:-https://github.com}/$repository" . || fail 75 "cannot fetch $repository"
fi

say "attempt $ORCHESTRION_JOB_ATTEMPT of $ORCHESTRION_JOB_MAX_ATTEMPTS" \
    "with ${AGENT:-codex} ${ORCHESTRION_CODEX_MODEL:-} ${ORCHESTRION_CODEX_EFFORT:-}"
if [ -n "${AGENT:-}" ]; then
    # shellcheck disable=SC2086
    $AGENT <"$folder/payload.json"
else
    command -v codex >/dev/null || fail 69 "this worker has no codex"
    codex exec --sandbox workspace-write \
        ${ORCHESTRION_CODEX_MODEL:+--model "$ORCHESTRION_CODEX_MODEL"} \
        ${ORCHESTRION_CODEX_EFFORT:+--config "model_reasoning_effort=$ORCHESTRION_CODEX_EFFORT"} \
        - <"$folder/payload.json"
fi

# What stands in this file is the job's result. Pushing a branch or opening a request would go here, too.
if [ -n "$repository" ]; then
    git add --all
    git diff --cached --stat | tail -n 1 >"$ORCHESTRION_RESULT_FILE"
fi
