// What can be done with a task. What the server's contract offers is offered; the rest follows from the state.
import { idempotency, send, type Schemas } from '../api/client';
import type { Action } from './actions.svelte';
import { href, part } from './router.svelte';

type Task = Schemas['Task'];

const path = (id: string, verb: string) => `/v1/tasks/${part(id)}/${verb}`;

export function taskActions(task: Task, contract: Schemas['AgentContract']): Action[] {
  const offered = new Set(contract.next_actions.filter((each) => each.available).map((each) => each.action));
  const managed = task.owner
    ? `It belongs to ${task.owner.kind} ${task.owner.id}: act there.`
    : null;
  const list: Action[] = [];
  if (offered.has('requeue_task') || task.status === 'dead_letter')
    list.push({
      id: 'requeue',
      label: 'Requeue',
      tone: 'primary',
      not: managed,
      question: `The task goes back to the queue with all its ${task.maxAttempts} attempts. Its history stays.`,
      run: async () => {
        await send('POST', path(task.id, 'requeue'));
        return 'The task is in the queue again';
      },
    });
  if (offered.has('release_task'))
    list.push({
      id: 'release',
      label: 'Release',
      tone: 'primary',
      not: managed,
      question: 'The task is held because a task that it depends on failed. Released, it runs without that one.',
      run: async () => {
        await send('POST', path(task.id, 'release'));
        return 'The task is released';
      },
    });
  if (task.status === 'pending')
    list.push({
      id: 'cancel',
      label: 'Cancel',
      not: managed,
      tone: 'danger',
      question: 'The task is never given to a worker. This cannot be undone; a replay makes a new one.',
      run: async () => {
        await send('POST', path(task.id, 'cancel'), { body: {} });
        return 'The task is cancelled';
      },
    });
  if (task.status === 'claimed')
    list.push({
      id: 'force-cancel',
      label: 'Force-cancel',
      tone: 'danger',
      not: managed,
      question: `${task.claimedBy ?? 'A worker'} holds the task. Its lease is taken away: what it has done outside stays done, and its report is refused.`,
      run: async () => {
        await send('POST', path(task.id, 'cancel'), { body: { force: true } });
        return 'The task is cancelled and its lease revoked';
      },
    });
  list.push({
    id: 'replay',
    label: 'Replay …',
    not: managed,
    question: 'A new task of this type with this payload. This one stays as it is.',
    fields: [
      {
        name: 'payload',
        label: 'Payload',
        kind: 'json',
        value: JSON.stringify(task.payload, null, 2),
        required: true,
      },
      { name: 'priority', label: 'Priority', kind: 'number', value: String(task.priority) },
    ],
    run: async (values) => {
      const made = await send<{ task: { id: string } }>('POST', '/v1/tasks', {
        headers: idempotency(),
        body: {
          type: task.type,
          payload: JSON.parse(values.payload ?? '{}') as unknown,
          priority: values.priority ? Number(values.priority) : task.priority,
          maxAttempts: task.maxAttempts,
          leaseDurationSeconds: task.leaseDurationSeconds,
          ...(task.concurrencyKey ? { concurrencyKey: task.concurrencyKey } : {}),
          ...(task.rateKey ? { rateKey: task.rateKey } : {}),
          ...(task.correlationId ? { correlationId: task.correlationId } : {}),
        },
      });
      return { message: 'A new task was made', href: href(`/tasks/${made.task.id}`), link: 'Open it' };
    },
  });
  return list;
}

/** The page of what made an item. */
export function ownerHref(owner: { kind: string; id: string }): string | undefined {
  if (owner.kind.startsWith('execution') || owner.kind === 'orchestration')
    return href(`/executions/${part(owner.id)}`);
  if (owner.kind.startsWith('run')) return href(`/runs/${part(owner.id)}`);
  return undefined;
}
