// What a page shows of the server: loaded when its key changes, and again when an event says that it has changed.
import { untrack } from 'svelte';
import { asProblem, type Problem } from '../api/problem';
import { live, type LiveEvent } from '../live/events.svelte';

export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: Problem | undefined;
  readonly loading: boolean;
  refresh(): Promise<void>;
}

export interface Following {
  /** Events after which it is loaded again. Without it, only `refresh` does. */
  on?: (event: LiveEvent) => boolean;
  /** The shortest time between two loads that events ask for. */
  everyMs?: number;
}

/** To be called while a component is made. `key` is read as a dependency; `load` is not. */
export function resource<K, T>(
  key: () => K,
  load: (key: K, signal: AbortSignal) => Promise<T>,
  following: Following = {},
): Resource<T> {
  let data = $state.raw<T>();
  let error = $state.raw<Problem>();
  let loading = $state(true);
  let abort: AbortController | undefined;
  let shown: string | undefined;

  async function run(now: K) {
    abort?.abort();
    const mine = new AbortController();
    abort = mine;
    loading = true;
    try {
      const answer = await load(now, mine.signal);
      if (mine.signal.aborted) return;
      data = answer;
      error = undefined;
    } catch (thrown) {
      if (mine.signal.aborted) return;
      error = asProblem(thrown);
    }
    loading = false;
  }

  $effect(() => {
    const now = key();
    untrack(() => {
      const text = JSON.stringify(now);
      // What belongs to another key is not shown under this one.
      if (text !== shown) data = undefined;
      shown = text;
      void run(now);
    });
    return () => abort?.abort();
  });

  if (following.on) {
    const on = following.on;
    $effect(() => live.follow(on, () => void run(untrack(key)), following.everyMs));
  }

  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    refresh: () => run(untrack(key)),
  };
}
