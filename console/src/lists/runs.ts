import { api, body, send, type Schemas } from '../api/client';
import { amount } from '../lib/format';
import { part } from '../lib/router.svelte';
import { ofKinds } from '../live/events.svelte';
import { choiceFilter, is, moment, query, textFilter, type Filters, type ListSpec } from '../parts/list';

type Run = Schemas['RunListed'];

export const RUN_STATES = [
  'created',
  'pending',
  'running',
  'paused',
  'resuming',
  'completed',
  'failed',
  'cancelled',
  'retrying',
  'skipped',
];
export const RUN_ENDED = ['completed', 'failed', 'cancelled', 'skipped'];

const params = (filters: Filters) => ({
  status: is(filters.status),
  escalated: filters.escalated === 'true' ? true : undefined,
  created_from: moment(filters.since),
});

const path = (run: Run, verb: string) => `/api/v1/runs/${part(run.run_id)}/${verb}`;

export const runs: ListSpec<Run> = {
  kind: 'runs',
  title: 'Runs',
  id: (run) => run.run_id,
  href: (run) => `/runs/${part(run.run_id)}`,
  async load(filters, cursor, signal) {
    const page = await body(
      api.GET('/api/v1/runs', { params: { query: { ...params(filters), limit: 100, cursor } as never }, signal }),
    );
    return { rows: page.items, next: page.next_cursor };
  },
  columns: [
    { id: 'name', label: 'Run', width: 'minmax(140px, 2fr)', narrow: true, cell: (run) => run.name },
    { id: 'status', label: 'Status', width: '124px', narrow: true, cell: (run) => ({ status: run.status }) },
    { id: 'created', label: 'Created', width: '96px', narrow: true, cell: (run) => ({ time: run.created_at }) },
    { id: 'ended', label: 'Ended', width: '96px', cell: (run) => ({ time: run.completed_at ?? run.cancelled_at }) },
    {
      id: 'parts',
      label: 'Agents / tasks / steps',
      width: '160px',
      cell: (run) => `${run.agent_count} / ${run.task_count} / ${run.step_count}`,
    },
    { id: 'flight', label: 'In flight', width: '78px', number: true, cell: (run) => run.steps_in_flight },
    { id: 'charged', label: 'Charged', width: '90px', number: true, cell: (run) => amount(run.credits_charged) },
    { id: 'reserved', label: 'Reserved', width: '90px', number: true, cell: (run) => amount(run.credits_reserved) },
    { id: 'error', label: 'Error', width: 'minmax(120px, 3fr)', cell: (run) => run.last_error },
    { id: 'escalated', label: 'Escalated', width: '90px', optional: true, cell: (run) => (run.escalated ? 'yes' : 'no') },
    {
      id: 'attempt',
      label: 'Attempt',
      width: '82px',
      number: true,
      optional: true,
      cell: (run) => `${run.attempt_number}/${run.max_attempts}`,
    },
    { id: 'id', label: 'Id', width: '290px', optional: true, cell: (run) => ({ text: run.run_id, mono: true }) },
    { id: 'planner', label: 'Planner', optional: true, cell: (run) => run.planner_mode },
  ],
  filters: [
    choiceFilter('status', 'Status', RUN_STATES, (run: Run) => run.status),
    { name: 'escalated', label: 'escalated', kind: 'flag', server: true },
    textFilter(),
    { name: 'since', label: 'Created', kind: 'time', server: true },
  ],
  on: ofKinds('run'),
  bulk: [
    {
      id: 'pause',
      label: 'Pause',
      applies: (run) => run.status === 'running',
      one: (run, why) => send('POST', path(run, 'pause'), { body: why === '' ? {} : { reason: why } }),
    },
    {
      id: 'resume',
      label: 'Resume',
      applies: (run) => run.status === 'paused',
      one: (run, why) => send('POST', path(run, 'resume'), { body: why === '' ? {} : { reason: why } }),
    },
    {
      id: 'retry',
      label: 'Retry',
      applies: (run) => run.status === 'failed',
      one: (run) => send('POST', path(run, 'retry'), { body: {} }),
    },
    {
      id: 'cancel',
      label: 'Cancel',
      tone: 'danger',
      applies: (run) => !RUN_ENDED.includes(run.status),
      one: (run, why) => send('POST', path(run, 'cancel'), { body: why === '' ? {} : { reason: why } }),
    },
  ],
  empty: {
    text: 'There are no runs yet. A run of one agent with one step:',
    command: `curl -s ${location.origin}/api/v1/runs -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '{"name":"first","task":"Say hello","planner":{"mode":"static"},"plan":{"agents":[{"subtask":"greet","tasks":[{"name":"hello","steps":[{"name":"say","tool":"hello","input":{}}]}]}]}}'`,
  },
  path: (filters) => `/api/v1/runs${query(params(filters))}`,
};
