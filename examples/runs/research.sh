#!/bin/sh
# Plans a small research and does its steps, for
# `orchestrion worker --door tasks --types run_plan,search,summarize`. What a step is given comes on standard input.
# What is written to the result file is its output: for run_plan, the plan.
set -eu
given=$(cat)
case $ORCHESTRION_JOB_TYPE in
run_plan)
    task=$(printf %s "$given" | sed -n 's/.*"input": *{[^}]*"task": *"\([^"]*\)".*/\1/p')
    cat >"$ORCHESTRION_RESULT_FILE" <<PLAN
{"agents": [{"subtask": "Answer: $task", "parallelism_mode": "dag", "tasks": [
  {"name": "web", "steps": [{"name": "search the web", "tool": "search", "input": {"in": "web"}, "max_tokens": 2000}]},
  {"name": "papers", "steps": [{"name": "search papers", "tool": "search", "input": {"in": "papers"}, "max_tokens": 2000}]},
  {"name": "summary", "dependencies": ["web", "papers"], "steps": [{"name": "sum up", "tool": "summarize"}]}]}]}
PLAN
    echo '{"tokens": 300}' >"$ORCHESTRION_USAGE_FILE"
    ;;
search)
    echo '{"found": ["a page", "another page"]}' >"$ORCHESTRION_RESULT_FILE"
    echo '{"tokens": 1200}' >"$ORCHESTRION_USAGE_FILE"
    ;;
summarize)
    echo '{"summary": "Work that survives what runs it."}' >"$ORCHESTRION_RESULT_FILE"
    echo '{"tokens": 800}' >"$ORCHESTRION_USAGE_FILE"
    ;;
*)
    echo "unknown tool $ORCHESTRION_JOB_TYPE" >&2
    exit 64
    ;;
esac
