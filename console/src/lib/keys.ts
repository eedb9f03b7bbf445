// Keys of the page. A key does nothing while somebody types, and nothing while a dialog is open.
import { router } from './router.svelte';

export interface Shortcut {
  keys: string;
  what: string;
}

export const SHORTCUTS: Shortcut[] = [
  { keys: '/', what: 'Go to any id, or search in the list' },
  { keys: 'j / k', what: 'Next or previous row; Enter opens it' },
  { keys: 'x', what: 'Select the row' },
  { keys: 'n / p', what: 'On an item: the next or previous of the list' },
  { keys: 'a', what: 'Go to the actions of the item' },
  { keys: 'r', what: 'Load again' },
  { keys: 'g o', what: 'Overview' },
  { keys: 'g t', what: 'Tasks' },
  { keys: 'g q', what: 'Queue jobs' },
  { keys: 'g j', what: 'Jobs' },
  { keys: 'g e', what: 'Executions' },
  { keys: 'g r', what: 'Runs' },
  { keys: 'g a', what: 'Approvals' },
  { keys: 'g d', what: 'Dead letters' },
  { keys: 'u', what: 'UTC or local time' },
  { keys: '?', what: 'This help' },
];

const GOES: Record<string, string> = {
  o: '/',
  t: '/tasks',
  q: '/queue',
  j: '/jobs',
  e: '/executions',
  r: '/runs',
  a: '/approvals',
  d: '/dead-letters',
};

let goes = 0;

export interface KeyHandlers {
  help: () => void;
  search: () => void;
  utc: () => void;
}

export function listen(handlers: KeyHandlers): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest?.('input, textarea, select, [contenteditable], dialog, .editor')) return;
    if (Date.now() - goes < 1500 && GOES[event.key]) {
      goes = 0;
      event.preventDefault();
      router.go(GOES[event.key]!);
      return;
    }
    goes = 0;
    const simple: Record<string, () => void> = {
      g: () => (goes = Date.now()),
      '?': handlers.help,
      '/': handlers.search,
      u: handlers.utc,
      r: () => window.dispatchEvent(new Event('orchestrion:refresh')),
      a: () => document.querySelector<HTMLElement>('[data-actions] button:not(:disabled)')?.focus(),
      j: () => step(1),
      k: () => step(-1),
      n: () => document.querySelector<HTMLElement>('[data-test="next-item"]')?.click(),
      p: () => document.querySelector<HTMLElement>('[data-test="previous-item"]')?.click(),
      x: () =>
        (document.activeElement?.closest('[role="row"]') ?? null)
          ?.querySelector<HTMLInputElement>('input[type=checkbox]')
          ?.click(),
    };
    const action = simple[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}

function step(by: number) {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  if (links.length === 0) return;
  const here = links.findIndex((each) => each === document.activeElement || each.closest('[role="row"]')?.contains(document.activeElement));
  const next = links[here < 0 ? 0 : Math.min(links.length - 1, Math.max(0, here + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
