import { api, body, send, type Schemas } from '../api/client';
import { cli } from '../lib/commands';
import { href, part } from '../lib/router.svelte';
import { ofKinds } from '../live/events.svelte';
import { choiceFilter, is, query, sinceFilter, textFilter, type Filters, type ListSpec } from '../parts/list';

type Execution = Schemas['OrchestrationExecutionListed'];

export const EXECUTION_STATES = ['running', 'waiting_approval', 'paused', 'succeeded', 'failed', 'canceled'];
export const OPEN = ['running', 'waiting_approval', 'paused'];

const params = (filters: Filters) => ({
  status: is(filters.status),
  definition_id: filters.definition,
  target_object_type: filters.target_type,
  target_object_id: filters.target,
  correlation_id: filters.correlation,
});

const path = (row: Execution, verb: string) => `/v1/orchestrations/executions/${part(row.execution_id)}/${verb}`;
const reason = (text: string) => (text === '' ? {} : { reason: text });

export const executions: ListSpec<Execution> = {
  kind: 'executions',
  title: 'Executions',
  id: (row) => row.execution_id,
  href: (row) => `/executions/${part(row.execution_id)}`,
  async load(filters, cursor, signal) {
    const page = await body(
      api.GET('/v1/orchestrations/executions', {
        params: { query: { ...params(filters), limit: 100, cursor } as never },
        signal,
      }),
    );
    return { rows: page.items, next: page.next_cursor };
  },
  columns: [
    {
      id: 'id',
      label: 'Execution',
      width: '132px',
      narrow: true,
      cell: (row) => ({ text: `…${row.execution_id.slice(-10)}`, mono: true, title: row.execution_id }),
    },
    {
      id: 'target',
      label: 'For',
      width: 'minmax(140px, 2fr)',
      narrow: true,
      cell: (row) => `${row.target_object_type} ${row.target_object_id}`,
    },
    { id: 'status', label: 'Status', width: '150px', narrow: true, cell: (row) => ({ status: row.status }) },
    { id: 'started', label: 'Started', width: '96px', cell: (row) => ({ time: row.started_at }) },
    { id: 'completed', label: 'Ended', width: '96px', cell: (row) => ({ time: row.completed_at }) },
    { id: 'error', label: 'Error', width: 'minmax(140px, 4fr)', cell: (row) => row.error?.summary },
    {
      id: 'definition',
      label: 'Definition',
      width: '150px',
      cell: (row) => ({
        text: `…${row.definition_id.slice(-8)} v${row.definition_version}`,
        mono: true,
        href: href(`/definitions/${part(row.definition_id)}?version=${row.definition_version}`),
        title: row.definition_id,
      }),
    },
    { id: 'code', label: 'Code', optional: true, cell: (row) => row.error?.code },
    { id: 'attempts', label: 'Attempt', width: '78px', number: true, optional: true, cell: (row) => row.attempt_count },
    { id: 'correlation', label: 'Correlation', optional: true, cell: (row) => row.correlation_id },
    { id: 'compensated', label: 'Undone', optional: true, cell: (row) => (row.compensated ? 'yes' : 'no') },
  ],
  filters: [
    choiceFilter('status', 'Status', EXECUTION_STATES, (row: Execution) => row.status),
    { name: 'target', label: 'For id', kind: 'text', server: true },
    { name: 'correlation', label: 'Correlation', kind: 'text', server: true },
    { name: 'definition', label: 'Definition', kind: 'text', server: true, placeholder: 'Id of the definition' },
    textFilter(),
    sinceFilter((row) => row.started_at, 'Started'),
  ],
  on: ofKinds('execution'),
  bulk: [
    {
      id: 'retry',
      label: 'Retry',
      applies: (row) => row.status === 'failed',
      one: (row, why) =>
        send('POST', path(row, 'retry'), { body: { reason: why === '' ? 'retried from the console' : why } }),
    },
    {
      id: 'pause',
      label: 'Pause',
      applies: (row) => row.status === 'running' || row.status === 'waiting_approval',
      one: (row, why) => send('POST', path(row, 'pause'), { body: reason(why) }),
    },
    {
      id: 'resume',
      label: 'Resume',
      applies: (row) => row.status === 'paused',
      one: (row, why) => send('POST', path(row, 'resume'), { body: reason(why) }),
    },
    {
      id: 'cancel',
      label: 'Cancel',
      tone: 'danger',
      applies: (row) => OPEN.includes(row.status),
      one: (row, why) => send('POST', path(row, 'cancel'), { body: reason(why) }),
    },
  ],
  empty: {
    text: 'There are no executions yet. Publish a definition, then start it:',
    command: './orchestrion orchestrations start ID --target order/1 --input {}',
  },
  path: (filters) => `/v1/orchestrations/executions${query(params(filters))}`,
  command: (filters) =>
    cli('orchestrations', 'list', ...(is(filters.status) ? ['--status', filters.status!] : [])),
};
