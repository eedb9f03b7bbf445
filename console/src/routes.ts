// Which address shows which page. Pages are loaded when they are opened first.
import type { Component } from 'svelte';

type Params = Record<string, string>;
type Load = () => Promise<{ default: Component<Params> }>;

interface Route {
  pattern: string;
  /** The entry of the navigation that it belongs to. */
  nav: string;
  load: Load;
}

// The pages differ in their parameters, which come from the pattern beside them.
const route = (pattern: string, nav: string, load: () => Promise<{ default: unknown }>): Route => ({
  pattern,
  nav,
  load: load as Load,
});

export const ROUTES: Route[] = [
  route('/', '/', () => import('./pages/Overview.svelte')),
  route('/tasks', '/tasks', () => import('./pages/Tasks.svelte')),
  route('/tasks/:id', '/tasks', () => import('./pages/Task.svelte')),
  route('/queue', '/queue', () => import('./pages/QueueJobs.svelte')),
  route('/queue/:id', '/queue', () => import('./pages/QueueJob.svelte')),
  route('/jobs', '/jobs', () => import('./pages/Jobs.svelte')),
  route('/jobs/:id', '/jobs', () => import('./pages/Job.svelte')),
  route('/operations', '/operations', () => import('./pages/Operations.svelte')),
  route('/operations/:id', '/operations', () => import('./pages/Operation.svelte')),
  route('/definitions', '/definitions', () => import('./pages/Definitions.svelte')),
  route('/definitions/new', '/definitions', () => import('./pages/DefinitionEditor.svelte')),
  route('/definitions/:id', '/definitions', () => import('./pages/Definition.svelte')),
  route('/definitions/:id/edit', '/definitions', () => import('./pages/DefinitionEditor.svelte')),
  route('/executions', '/executions', () => import('./pages/Executions.svelte')),
  route('/executions/:id', '/executions', () => import('./pages/Execution.svelte')),
  route('/approvals', '/approvals', () => import('./pages/Approvals.svelte')),
  route('/approvals/:id', '/approvals', () => import('./pages/Approval.svelte')),
  route('/dead-letters', '/dead-letters', () => import('./pages/DeadLetters.svelte')),
  route('/dead-letters/:id', '/dead-letters', () => import('./pages/DeadLetter.svelte')),
  route('/review', '/review', () => import('./pages/Review.svelte')),
  route('/runs', '/runs', () => import('./pages/Runs.svelte')),
  route('/runs/:id', '/runs', () => import('./pages/Run.svelte')),
  route('/runs/:id/steps/:step', '/runs', () => import('./pages/RunStep.svelte')),
  route('/escalations', '/escalations', () => import('./pages/Escalations.svelte')),
  route('/credits', '/credits', () => import('./pages/Credits.svelte')),
  route('/schedules', '/schedules', () => import('./pages/Schedules.svelte')),
  route('/schedules/:id', '/schedules', () => import('./pages/Schedule.svelte')),
  route('/types', '/types', () => import('./pages/Types.svelte')),
  route('/types/:id', '/types', () => import('./pages/Type.svelte')),
  route('/webhooks', '/webhooks', () => import('./pages/Webhooks.svelte')),
  route('/webhooks/:id', '/webhooks', () => import('./pages/Webhook.svelte')),
  route('/deliveries/:id', '/webhooks', () => import('./pages/Delivery.svelte')),
  route('/keys', '/keys', () => import('./pages/Keys.svelte')),
  route('/plans', '/plans', () => import('./pages/Plans.svelte')),
  route('/audit', '/audit', () => import('./pages/Audit.svelte')),
  route('/events', '/events', () => import('./pages/Events.svelte')),
];

export interface Match {
  route: Route;
  params: Params;
}

export function match(path: string): Match | undefined {
  const parts = path.replace(/\/+$/, '').split('/');
  for (const each of ROUTES) {
    const wanted = each.pattern.replace(/\/+$/, '').split('/');
    if (wanted.length !== parts.length) continue;
    const params: Params = {};
    const fits = wanted.every((word, i) => {
      if (!word.startsWith(':')) return word === parts[i];
      try {
        params[word.slice(1)] = decodeURIComponent(parts[i]!);
      } catch {
        return false;
      }
      return parts[i] !== '';
    });
    if (fits) return { route: each, params };
  }
  return undefined;
}

export interface NavGroup {
  label: string;
  entries: { path: string; label: string }[];
}

export const NAVIGATION: NavGroup[] = [
  { label: '', entries: [{ path: '/', label: 'Overview' }] },
  {
    label: 'Work',
    entries: [
      { path: '/tasks', label: 'Tasks' },
      { path: '/queue', label: 'Queue jobs' },
      { path: '/jobs', label: 'Jobs' },
      { path: '/operations', label: 'Operations' },
    ],
  },
  {
    label: 'Orchestrations',
    entries: [
      { path: '/definitions', label: 'Definitions' },
      { path: '/executions', label: 'Executions' },
      { path: '/approvals', label: 'Approvals' },
      { path: '/dead-letters', label: 'Dead letters' },
      { path: '/review', label: 'Review' },
    ],
  },
  {
    label: 'Runs',
    entries: [
      { path: '/runs', label: 'Runs' },
      { path: '/escalations', label: 'Escalations' },
      { path: '/credits', label: 'Credits' },
    ],
  },
  {
    label: 'Administration',
    entries: [
      { path: '/schedules', label: 'Schedules' },
      { path: '/types', label: 'Types and limits' },
      { path: '/webhooks', label: 'Webhooks' },
      { path: '/keys', label: 'Keys and tokens' },
      { path: '/plans', label: 'Plans and billing' },
      { path: '/audit', label: 'Audit' },
      { path: '/events', label: 'Live events' },
    ],
  },
];
