// One stream of the account's events for all tabs of the browser. The visible tab that holds the lock reads the stream
// and passes the events on; a hidden tab gives the lock away, so that with no visible tab there is no stream at all.
import { HEADERS, onSignedOut } from '../api/client';
import { prefs } from '../lib/prefs.svelte';

export interface LiveEvent {
  /** The cursor of the log, from which a stream goes on. */
  cursor: string;
  /** task, or the kind of an engine's subject such as execution, run, approval. */
  kind: string;
  id: string;
  /** The execution, run or the like that it is part of, where the event says so. */
  partOf: string | null;
  event: string;
  type: string | null;
  status: string | null;
  fromStatus: string | null;
  at: string;
  raw: unknown;
}

export type Connection = 'off' | 'connecting' | 'live' | 'lost';

type Message = { event: LiveEvent } | { cursor: string } | { connection: Connection } | { asks: true };

interface Follower {
  wants: (event: LiveEvent) => boolean;
  refresh: () => void;
  everyMs: number;
  last: number;
  timer: number | undefined;
}

const LOCK = 'orchestrion.events';
const STREAM = '/v1/events/stream?include=owned,subjects';
const KEPT = 200;

class Live {
  connection = $state<Connection>('off');
  leads = $state(false);
  /** How many events this tab has seen, for a sign of life. */
  seen = $state(0);
  /** The newest events, newest first. */
  recent = $state.raw<LiveEvent[]>([]);

  private readonly channel = new BroadcastChannel('orchestrion.events');
  private readonly followers = new Set<Follower>();
  private readonly listeners = new Set<(event: LiveEvent) => void>();
  private cursor: string | undefined;
  private lead: AbortController | undefined;
  private started = false;
  private missed = false;
  private quiet: string | undefined;

  constructor() {
    this.channel.onmessage = (message: MessageEvent<Message>) => this.heard(message.data);
    document.addEventListener('visibilitychange', () => this.seenOrHidden());
    onSignedOut(() => this.stop());
  }

  /** Begins when somebody has signed in. */
  start() {
    if (this.started) return;
    this.started = true;
    this.seenOrHidden();
  }

  stop() {
    this.started = false;
    this.cursor = undefined;
    this.lead?.abort();
    this.lead = undefined;
    this.connection = 'off';
  }

  /** Switched off by the person: nothing is asked for. */
  toggle(on: boolean) {
    prefs.setLive(on);
    this.seenOrHidden();
  }

  /** Calls `refresh` after events that `wants` takes, at most once in `everyMs`. */
  follow(wants: (event: LiveEvent) => boolean, refresh: () => void, everyMs = 1000): () => void {
    const follower: Follower = { wants, refresh, everyMs, last: 0, timer: undefined };
    this.followers.add(follower);
    return () => {
      clearTimeout(follower.timer);
      this.followers.delete(follower);
    };
  }

  /** Calls `listener` for each event. */
  listen(listener: (event: LiveEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What may have been missed is loaded again. */
  refreshAll() {
    for (const each of this.followers) this.later(each);
  }

  private seenOrHidden() {
    const wanted = this.started && prefs.live && document.visibilityState === 'visible';
    if (!wanted) {
      if (this.lead) {
        this.lead.abort();
        this.lead = undefined;
      }
      if (this.started) this.missed = true;
      this.connection = 'off';
      return;
    }
    if (this.missed) {
      this.missed = false;
      this.refreshAll();
    }
    if (!this.lead) this.stand();
  }

  private stand() {
    const mine = new AbortController();
    this.lead = mine;
    // The one that leads tells the others its state; until then it is unknown here.
    this.connection = 'connecting';
    this.channel.postMessage({ asks: true } satisfies Message);
    navigator.locks
      .request(LOCK, { signal: mine.signal }, async () => {
        this.leads = true;
        try {
          await this.read(mine.signal);
        } finally {
          this.leads = false;
        }
      })
      .catch(() => undefined);
  }

  private async read(signal: AbortSignal) {
    let wait = 500;
    while (!signal.aborted) {
      try {
        await this.stream(signal, () => {
          wait = 500;
        });
      } catch {
        // The server is away or the session is over: another try tells.
      }
      if (signal.aborted) return;
      this.tell('lost');
      await new Promise<void>((done) => {
        const timer = setTimeout(done, wait);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          done();
        });
      });
      wait = Math.min(wait * 2, 10_000);
    }
  }

  private async stream(signal: AbortSignal, opened: () => void) {
    const from: Record<string, string> = this.cursor ? { 'Last-Event-ID': this.cursor } : {};
    const address = this.cursor ? STREAM : `${STREAM}&after=now`;
    const response = await fetch(address, {
      headers: { ...HEADERS, Accept: 'text/event-stream', ...from },
      credentials: 'same-origin',
      signal,
    });
    if (!response.ok || !response.body) throw new Error(`stream answered ${response.status}`);
    opened();
    const again = this.connection === 'lost';
    this.tell('live');
    if (again) this.refreshAll();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.block(block);
    }
  }

  private block(block: string) {
    let id = '';
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('id:')) id = line.slice(3).trim();
      else if (line.startsWith('data:')) data += line.slice(5).trim();
    }
    if (id !== '') {
      this.cursor = id;
      this.channel.postMessage({ cursor: id } satisfies Message);
    }
    if (data === '') return;
    const event = eventOf(id, JSON.parse(data) as Raw);
    this.channel.postMessage({ event } satisfies Message);
    this.take(event);
  }

  private tell(connection: Connection) {
    this.connection = connection;
    this.channel.postMessage({ connection } satisfies Message);
  }

  private heard(message: Message) {
    if (!this.started || document.visibilityState !== 'visible' || !prefs.live) return;
    if ('asks' in message) {
      if (this.leads) this.tell(this.connection);
    } else if ('cursor' in message) {
      this.cursor = message.cursor;
      if (this.connection !== 'live') this.connection = 'live';
    } else if ('connection' in message) {
      if (message.connection === 'live' && this.connection === 'lost') this.refreshAll();
      this.connection = message.connection;
    } else this.take(message.event);
  }

  private take(event: LiveEvent) {
    if (event.cursor === this.quiet) return;
    this.quiet = event.cursor;
    this.seen++;
    this.recent = [event, ...this.recent.slice(0, KEPT - 1)];
    for (const each of this.listeners) each(event);
    for (const each of this.followers) if (each.wants(event)) this.later(each);
  }

  private later(follower: Follower) {
    if (follower.timer !== undefined) return;
    const wait = Math.max(50, follower.last + follower.everyMs - Date.now());
    follower.timer = window.setTimeout(() => {
      follower.timer = undefined;
      follower.last = Date.now();
      if (document.visibilityState === 'visible') follower.refresh();
      else this.missed = true;
    }, wait);
  }
}

interface Raw {
  taskId?: string;
  type?: string;
  subject?: { kind: string; id: string };
  event: string;
  status?: string | null;
  fromStatus?: string | null;
  at: string;
  data?: Record<string, unknown> | null;
}

export function eventOf(cursor: string, raw: Raw): LiveEvent {
  const data = raw.data ?? {};
  const owner = data.execution_id ?? data.run_id;
  return {
    cursor,
    kind: raw.subject?.kind ?? 'task',
    id: raw.subject?.id ?? raw.taskId ?? '',
    partOf: typeof owner === 'string' ? owner : null,
    event: raw.event,
    type: raw.type ?? null,
    status: raw.status ?? null,
    fromStatus: raw.fromStatus ?? null,
    at: raw.at,
    raw,
  };
}

export const live = new Live();

/** Whether the event is of the thing with this id, or of a part of it. */
export const of = (id: string) => (event: LiveEvent) => event.id === id || event.partOf === id;
export const ofKinds =
  (...kinds: string[]) =>
  (event: LiveEvent) =>
    kinds.includes(event.kind);
