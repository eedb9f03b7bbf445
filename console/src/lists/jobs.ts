import { api, body, send, type Schemas } from '../api/client';
import { cli } from '../lib/commands';
import { part } from '../lib/router.svelte';
import { choiceFilter, is, query, sinceFilter, textFilter, type Filters, type ListSpec } from '../parts/list';

type Job = Schemas['Job'];

const params = (filters: Filters) => ({ state: is(filters.state), outcome: is(filters.outcome) });
const ENDED = ['SUCCEEDED', 'FAILED', 'CANCELED'];

export const jobs: ListSpec<Job> = {
  kind: 'jobs',
  title: 'Jobs',
  id: (job) => job.job_id,
  href: (job) => `/jobs/${part(job.job_id)}`,
  async load(filters, cursor, signal) {
    const page = await body(
      api.GET('/v1/jobs', { params: { query: { ...params(filters), limit: 100, cursor } as never }, signal }),
    );
    return { rows: page.jobs, next: page.next_cursor };
  },
  columns: [
    {
      id: 'id',
      label: 'Job',
      width: '132px',
      narrow: true,
      cell: (job) => ({ text: `…${job.job_id.slice(-10)}`, mono: true, title: job.job_id }),
    },
    {
      id: 'work',
      label: 'Work',
      width: 'minmax(140px, 2fr)',
      narrow: true,
      cell: (job) => job.handler ?? job.definition?.work_kind ?? job.type,
    },
    { id: 'state', label: 'State', width: '124px', narrow: true, cell: (job) => ({ status: job.state }) },
    { id: 'type', label: 'Type', width: '120px', cell: (job) => job.type },
    { id: 'created', label: 'Created', width: '96px', cell: (job) => ({ time: job.created_at }) },
    { id: 'finished', label: 'Finished', width: '96px', cell: (job) => ({ time: job.finished_at }) },
    {
      id: 'attempts',
      label: 'Attempts',
      width: '82px',
      number: true,
      cell: (job) => `${job.attempt}/${job.max_attempts}`,
    },
    { id: 'failure', label: 'Failure', width: 'minmax(140px, 4fr)', cell: (job) => job.failure?.message },
    { id: 'code', label: 'Code', optional: true, cell: (job) => job.failure?.code },
    { id: 'callback', label: 'Callback', optional: true, cell: (job) => job.callback },
  ],
  filters: [
    choiceFilter(
      'state',
      'State',
      ['CREATED', 'QUEUED', 'ASSIGNED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'],
      (job: Job) => job.state,
    ),
    choiceFilter('outcome', 'Outcome', ['SUCCESS', 'FAILED', 'CANCELED'], (job) => job.outcome),
    textFilter(),
    sinceFilter((job) => job.created_at),
  ],
  bulk: [
    {
      id: 'retry',
      label: 'Retry',
      applies: (job) => job.state === 'FAILED',
      one: (job) => send('POST', `/v1/jobs/${part(job.job_id)}/retry`, { body: {} }),
    },
    {
      id: 'cancel',
      label: 'Cancel',
      tone: 'danger',
      applies: (job) => !ENDED.includes(job.state),
      one: (job) => send('POST', `/v1/jobs/${part(job.job_id)}/cancel`, { body: {} }),
    },
    {
      id: 'delete',
      label: 'Delete',
      tone: 'danger',
      applies: (job) => ENDED.includes(job.state),
      one: (job) => send('DELETE', `/v1/jobs/${part(job.job_id)}`),
    },
  ],
  empty: {
    text: 'There are no jobs yet. The server does these by itself; one that simulates work:',
    command: './orchestrion jobs submit --kind SUCCESS_FAST',
  },
  path: (filters) => `/v1/jobs${query(params(filters))}`,
  command: (filters) =>
    cli(
      'jobs',
      'list',
      ...(is(filters.state) ? ['--state', filters.state!] : []),
      ...(is(filters.outcome) ? ['--outcome', filters.outcome!] : []),
    ),
};
