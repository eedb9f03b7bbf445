import { api, body, type Schemas } from '../api/client';
import { cli } from '../lib/commands';
import { part } from '../lib/router.svelte';
import { ofKinds } from '../live/events.svelte';
import { is, moment, not, optionsOf, query, type Filters, type ListSpec } from '../parts/list';

type Task = Schemas['ListedTask'];

export const TASK_STATES = ['pending', 'claimed', 'completed', 'dead_letter', 'cancelled', 'failed'];

const params = (filters: Filters) => ({
  status: is(filters.status),
  notStatus: not(filters.status),
  type: is(filters.type),
  notType: not(filters.type),
  text: filters.text,
  createdFrom: moment(filters.since),
  createdBefore: moment(filters.until),
  include: filters.owned === 'true' ? 'owned' : undefined,
});

/** The filter of an operation, or why there is none that means the same as the filters of the list. */
function operationFilter(filters: Filters, ids: string[] | null): Record<string, unknown> | string {
  if (ids) return { ids };
  if (not(filters.status) || not(filters.type))
    return 'An operation cannot leave out a status or a type. Choose one, or select the rows.';
  if (filters.text || filters.key || filters.owned)
    return 'An operation knows no text, key or steps of engines. Remove these filters, or select the rows.';
  return Object.fromEntries(
    Object.entries({
      status: filters.status,
      type: filters.type,
      createdAfter: moment(filters.since),
      createdBefore: moment(filters.until),
    }).filter(([, value]) => value),
  );
}

export const tasks: ListSpec<Task> = {
  kind: 'tasks',
  title: 'Tasks',
  id: (task) => task.id,
  href: (task) => `/tasks/${part(task.id)}`,
  async load(filters, cursor, signal) {
    const page = await body(
      api.GET('/v1/tasks', {
        params: { query: { ...params(filters), limit: 100, cursor } as never },
        signal,
      }),
    );
    return { rows: page.tasks, next: page.nextCursor };
  },
  columns: [
    {
      id: 'id',
      label: 'Task',
      width: '132px',
      narrow: true,
      cell: (task) => ({ text: `…${task.id.slice(-10)}`, mono: true, title: task.id }),
    },
    { id: 'type', label: 'Type', width: 'minmax(120px, 2fr)', narrow: true, cell: (task) => task.type },
    {
      id: 'status',
      label: 'Status',
      width: '124px',
      narrow: true,
      cell: (task) => ({ status: task.status }),
    },
    { id: 'created', label: 'Created', width: '96px', cell: (task) => ({ time: task.createdAt }) },
    { id: 'updated', label: 'Changed', width: '96px', cell: (task) => ({ time: task.updatedAt }) },
    {
      id: 'attempts',
      label: 'Attempts',
      width: '82px',
      number: true,
      cell: (task) => `${task.attemptCount}/${task.maxAttempts}`,
    },
    {
      id: 'reason',
      label: 'Last failure',
      width: 'minmax(140px, 4fr)',
      cell: (task) => task.lastFailureReason,
    },
    { id: 'worker', label: 'Worker', width: 'minmax(90px, 1fr)', cell: (task) => task.claimedBy },
    {
      id: 'priority',
      label: 'Priority',
      width: '78px',
      number: true,
      optional: true,
      cell: (task) => task.priority,
    },
    {
      id: 'scheduled',
      label: 'Due',
      width: '96px',
      optional: true,
      cell: (task) => ({ time: task.scheduledAt }),
    },
    { id: 'key', label: 'Limit key', optional: true, cell: (task) => task.concurrencyKey ?? task.rateKey },
    { id: 'correlation', label: 'Correlation', optional: true, cell: (task) => task.correlationId },
    {
      id: 'lease',
      label: 'Lease ends',
      width: '96px',
      optional: true,
      cell: (task) => ({ time: task.leaseExpiresAt }),
    },
  ],
  filters: [
    { name: 'status', label: 'Status', kind: 'choice', options: optionsOf(...TASK_STATES), negative: true },
    { name: 'type', label: 'Type', kind: 'text', negative: true, placeholder: 'Type, or !type' },
    { name: 'text', label: 'Text', kind: 'text', placeholder: 'Text anywhere' },
    { name: 'since', label: 'Created', kind: 'time' },
    {
      name: 'key',
      label: 'Key',
      kind: 'text',
      negative: true,
      placeholder: 'Limit key or correlation',
      test: (task, value) =>
        [task.concurrencyKey, task.rateKey, task.correlationId, task.uniqueKey].includes(value),
    },
    { name: 'owned', label: 'with steps of engines', kind: 'flag' },
  ],
  on: ofKinds('task'),
  bulk: [
    {
      id: 'requeue',
      label: 'Requeue',
      applies: (task) => task.status === 'dead_letter',
      operation: { action: 'requeue', filter: operationFilter },
    },
    {
      id: 'cancel',
      label: 'Cancel',
      tone: 'danger',
      applies: (task) => task.status === 'pending',
      operation: { action: 'cancel', filter: operationFilter },
    },
    {
      id: 'purge',
      label: 'Purge',
      tone: 'danger',
      applies: (task) => ['completed', 'dead_letter', 'cancelled'].includes(task.status),
      operation: { action: 'purge', filter: operationFilter },
    },
  ],
  empty: {
    text: 'There are no tasks yet. A producer creates them over HTTP, with an SDK, or so:',
    command: `./orchestrion tasks create --type hello --payload '{"name":"world"}'`,
  },
  path: (filters) => `/v1/tasks${query(params(filters))}`,
  command: (filters) =>
    cli(
      'tasks',
      'list',
      ...(is(filters.status) ? ['--status', filters.status!] : []),
      ...(is(filters.type) ? ['--type', filters.type!] : []),
    ),
};
