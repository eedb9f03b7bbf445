// How a list is declared: what it loads, what it shows, what can be done with many of its rows.
import type { LiveEvent } from '../live/events.svelte';
import type { Column } from './cells';

export type Filters = Record<string, string>;

export interface Filter<R> {
  name: string;
  label: string;
  kind: 'choice' | 'text' | 'time' | 'flag';
  options?: { value: string; label: string }[];
  /** `!value` leaves out what has the value. */
  negative?: boolean;
  /** Where the server has no such filter: rows that were loaded are looked through here. */
  test?: (row: R, value: string) => boolean;
  /** The server takes the filter unless it is a negative one. */
  server?: boolean;
  placeholder?: string;
}

export interface Page<R> {
  rows: R[];
  next: string | null | undefined;
}

/** What is done with each of many rows, one call after the other. */
export interface Bulk<R> {
  id: string;
  label: string;
  tone?: 'danger';
  applies: (row: R) => boolean;
  one?: (row: R, reason: string) => Promise<unknown>;
  /** Where the server does it by itself: its operation for the ids or for the filters of the list. */
  operation?: {
    action: 'cancel' | 'requeue' | 'purge';
    /** The operation's filter, or the reason why these filters cannot be one. */
    filter: (filters: Filters, ids: string[] | null) => Record<string, unknown> | string;
  };
}

export interface ListSpec<R> {
  kind: string;
  title: string;
  id: (row: R) => string;
  href: (row: R) => string;
  load: (filters: Filters, cursor: string | undefined, signal: AbortSignal) => Promise<Page<R>>;
  columns: Column<R>[];
  filters: Filter<R>[];
  on?: (event: LiveEvent) => boolean;
  bulk?: Bulk<R>[];
  empty: { text: string; command?: string };
  /** How the same list is had without the console. */
  path: (filters: Filters) => string;
  command?: (filters: Filters) => string;
  everyMs?: number;
}

export const optionsOf = (...values: string[]) =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ').toLowerCase() }));

export const not = (value: string | undefined) => (value?.startsWith('!') ? value.slice(1) : undefined);
export const is = (value: string | undefined) => (value && !value.startsWith('!') ? value : undefined);

/** A moment of a filter: an ISO time, or so long ago as in 1h or 7d. */
export function moment(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const ago = /^(\d+)(min|h|d)$/.exec(value);
  if (!ago) return Number.isNaN(Date.parse(value)) ? undefined : new Date(value).toISOString();
  const unit = { min: 60_000, h: 3_600_000, d: 86_400_000 }[ago[2] as 'min' | 'h' | 'd'];
  return new Date(Date.now() - Number(ago[1]) * unit).toISOString();
}

/** Whether what `get` gives is not older than the moment of the filter. */
export const since =
  <R>(get: (row: R) => string | null | undefined) =>
  (row: R, value: string) => {
    const from = moment(value);
    const at = get(row);
    return !from || (!!at && Date.parse(at) >= Date.parse(from));
  };

/** Filters that many lists have. */
export const textFilter = <R>(): Filter<R> => ({
  name: 'text',
  label: 'Text',
  kind: 'text',
  negative: true,
  placeholder: 'Text anywhere',
  test: anywhere,
});

export const sinceFilter = <R>(
  get: (row: R) => string | null | undefined,
  label = 'Created',
): Filter<R> => ({ name: 'since', label, kind: 'time', test: since(get) });

export const choiceFilter = <R>(
  name: string,
  label: string,
  values: string[],
  get: (row: R) => string | null | undefined,
  server = true,
): Filter<R> => ({
  name,
  label,
  kind: 'choice',
  options: optionsOf(...values),
  negative: true,
  server,
  test: (row, value) => get(row) === value,
});

/** The text of a filter anywhere in the row. */
export const anywhere = (row: unknown, value: string) =>
  JSON.stringify(row).toLowerCase().includes(value.toLowerCase());

export function query(params: Record<string, string | number | boolean | null | undefined>): string {
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== null && value !== '') q.set(name, String(value));
  const text = q.toString();
  return text === '' ? '' : `?${text}`;
}

export interface LastList {
  kind: string;
  back: string;
  hrefs: string[];
}

let last: LastList | undefined;

/** The list that was shown last, for the next and previous of an item's page. */
export const lastList = {
  set: (list: LastList) => (last = list),
  get: () => last,
};
