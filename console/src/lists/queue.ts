import { api, body, send, type Schemas } from '../api/client';
import { cli } from '../lib/commands';
import { part } from '../lib/router.svelte';
import { choiceFilter, is, query, sinceFilter, textFilter, type Filters, type ListSpec } from '../parts/list';

type Job = Schemas['QueueJob'];

const params = (filters: Filters) => ({ status: is(filters.status), type: is(filters.type) });

export const queueJobs: ListSpec<Job> = {
  kind: 'queue',
  title: 'Queue jobs',
  id: (job) => job.id,
  href: (job) => `/queue/${part(job.id)}`,
  async load(filters, cursor, signal) {
    const page = await body(
      api.GET('/api/queue/jobs', {
        params: { query: { ...params(filters), limit: 100, cursor } as never },
        signal,
      }),
    );
    return { rows: page.items, next: page.nextCursor };
  },
  columns: [
    {
      id: 'id',
      label: 'Job',
      width: '132px',
      narrow: true,
      cell: (job) => ({ text: `…${job.id.slice(-10)}`, mono: true, title: job.id }),
    },
    { id: 'type', label: 'Type', width: 'minmax(120px, 2fr)', narrow: true, cell: (job) => job.type },
    { id: 'status', label: 'Status', width: '124px', narrow: true, cell: (job) => ({ status: job.status }) },
    { id: 'created', label: 'Created', width: '96px', cell: (job) => ({ time: job.createdAt }) },
    { id: 'updated', label: 'Changed', width: '96px', cell: (job) => ({ time: job.updatedAt }) },
    {
      id: 'attempts',
      label: 'Attempts',
      width: '82px',
      number: true,
      cell: (job) => `${job.attempt}/${job.maxAttempts}`,
    },
    { id: 'error', label: 'Error', width: 'minmax(140px, 4fr)', cell: (job) => job.errorMessage },
    { id: 'worker', label: 'Worker', width: 'minmax(90px, 1fr)', cell: (job) => job.workerId },
    { id: 'priority', label: 'Priority', width: '78px', number: true, optional: true, cell: (job) => job.priority },
    { id: 'summary', label: 'Result', optional: true, cell: (job) => job.resultSummary },
    { id: 'next', label: 'Next attempt', width: '96px', optional: true, cell: (job) => ({ time: job.nextAttemptAt }) },
  ],
  filters: [
    choiceFilter(
      'status',
      'Status',
      ['queued', 'running', 'succeeded', 'failed', 'dead_letter', 'cancelled'],
      (job: Job) => job.status,
    ),
    {
      name: 'type',
      label: 'Type',
      kind: 'text',
      negative: true,
      server: true,
      placeholder: 'Type, or !type',
      test: (job, value) => job.type === value,
    },
    textFilter(),
    sinceFilter((job) => job.createdAt),
  ],
  bulk: [
    {
      id: 'requeue',
      label: 'Requeue',
      applies: (job) => job.status === 'dead_letter',
      one: (job) => send('POST', `/api/queue/jobs/${part(job.id)}/requeue`, { body: {} }),
    },
    {
      id: 'cancel',
      label: 'Cancel',
      tone: 'danger',
      applies: (job) => job.status === 'queued' || job.status === 'running',
      one: (job) => send('POST', `/api/queue/jobs/${part(job.id)}/cancel`, { body: {} }),
    },
  ],
  empty: {
    text: 'There are no queue jobs yet. Submit one:',
    command: `./orchestrion queue submit --type hello --payload '{"name":"world"}'`,
  },
  path: (filters) => `/api/queue/jobs${query(params(filters))}`,
  command: (filters) =>
    cli(
      'queue',
      'list',
      ...(is(filters.status) ? ['--status', filters.status!] : []),
      ...(is(filters.type) ? ['--type', filters.type!] : []),
    ),
};
