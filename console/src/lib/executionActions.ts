// What can be done with an execution: what its contract offers.
import type { Schemas } from '../api/client';
import type { Action } from './actions.svelte';
import { part } from './router.svelte';
import { reasonBody, sentence, verb } from './verbs';

type Seen = Schemas['OrchestrationExecutionSeen'];

const unsafe = {
  name: 'confirm_unsafe',
  label: 'Also if the step is not safe to repeat: what it did may happen twice',
  kind: 'check' as const,
};

export const retryBody = (values: Record<string, string>) => ({
  reason: values.reason!.trim(),
  ...(values.confirm_unsafe === 'true' ? { confirm_unsafe: true } : {}),
});

export const RETRY_FIELDS = [sentence('reason', true), unsafe];

export function executionActions(execution: Seen): Action[] {
  const base = `/v1/orchestrations/executions/${part(execution.execution_id)}`;
  const open = ['running', 'waiting_approval', 'paused'].includes(execution.status);
  const list: Action[] = [];
  if (execution.status === 'running' || execution.status === 'waiting_approval')
    list.push(
      verb({
        id: 'pause',
        label: 'Pause',
        question: 'No further step begins. What a worker holds goes on and its result is kept.',
        path: `${base}/pause`,
        fields: [sentence('reason', false)],
        body: reasonBody,
        did: 'The execution is paused',
      }),
    );
  if (execution.status === 'paused')
    list.push(
      verb({
        id: 'resume',
        label: 'Resume',
        tone: 'primary',
        question: 'The execution goes on where it stopped.',
        path: `${base}/resume`,
        fields: [sentence('reason', false)],
        body: reasonBody,
        did: 'The execution goes on',
      }),
    );
  if (execution.status === 'failed')
    list.push(
      verb({
        id: 'retry',
        label: 'Retry',
        tone: 'primary',
        question: 'The execution goes on from the step that failed. Steps that succeeded are not done again.',
        path: `${base}/retry`,
        fields: RETRY_FIELDS,
        body: retryBody,
        did: 'The execution goes on from the failed step',
      }),
    );
  if (open)
    list.push(
      verb({
        id: 'cancel',
        label: 'Cancel',
        tone: 'danger',
        question: 'The execution ends. What nobody has begun is skipped; who holds a step is told that its lease is revoked.',
        path: `${base}/cancel`,
        fields: [sentence('reason', false)],
        body: reasonBody,
        did: 'The execution is cancelled',
      }),
    );
  return list;
}

export function stepActions(execution: Seen, step: Schemas['OrchestrationStepExecution']): Action[] {
  const base = `/v1/orchestrations/executions/${part(execution.execution_id)}/steps/${part(step.step_id)}`;
  if (step.status === 'awaiting_approval')
    return [
      verb({
        id: 'approve',
        label: 'Approve',
        tone: 'primary',
        question: `The execution goes on after “${step.name}”.`,
        path: `${base}/approve`,
        fields: [sentence('note', false)],
        body: (values) => (values.note?.trim() ? { note: values.note.trim() } : {}),
        did: 'Approved',
      }),
      verb({
        id: 'reject',
        label: 'Reject',
        tone: 'danger',
        question: `The step “${step.name}” fails, and what the definition says for that follows.`,
        path: `${base}/reject`,
        fields: [sentence('note', false)],
        body: (values) => (values.note?.trim() ? { note: values.note.trim() } : {}),
        did: 'Rejected',
      }),
    ];
  if (execution.status === 'failed' && ['failed', 'timed_out'].includes(step.status))
    return [
      verb({
        id: 'retry-step',
        label: 'Retry from this step',
        tone: 'primary',
        question: `The step “${step.name}” is tried again, and the execution goes on from there.`,
        path: `${base}/retry`,
        fields: RETRY_FIELDS,
        body: retryBody,
        did: 'The step is tried again',
      }),
    ];
  return [];
}
