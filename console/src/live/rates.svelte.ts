// What happened in each of the last seconds, added up from the stream of events: no request is made for it.
import { live, type LiveEvent } from './events.svelte';

const SECONDS = 300;

interface Bucket {
  second: number;
  created: number;
  done: number;
  failed: number;
}

const GOOD = new Set(['completed', 'succeeded']);
const BAD = new Set(['failed', 'dead_lettered', 'lease_expired', 'retry_scheduled']);
const NEW = new Set(['created', 'started']);

class Rates {
  buckets = $state.raw<Bucket[]>([]);
  private now: Bucket[] = [];
  private started = false;

  start() {
    if (this.started) return;
    this.started = true;
    live.listen((event) => this.take(event));
    setInterval(() => {
      if (document.visibilityState === 'visible') this.turn();
    }, 1000);
    this.turn();
  }

  private bucket(second: number): Bucket {
    const last = this.now.at(-1);
    if (last && last.second >= second) return last;
    for (let next = last ? Math.max(last.second + 1, second - SECONDS) : second - SECONDS; next <= second; next++)
      this.now.push({ second: next, created: 0, done: 0, failed: 0 });
    this.now = this.now.slice(-SECONDS);
    return this.now.at(-1)!;
  }

  private take(event: LiveEvent) {
    const bucket = this.bucket(Math.floor(Date.now() / 1000));
    if (NEW.has(event.event)) bucket.created++;
    else if (GOOD.has(event.event)) bucket.done++;
    else if (BAD.has(event.event)) bucket.failed++;
  }

  private turn() {
    this.bucket(Math.floor(Date.now() / 1000));
    this.buckets = this.now.slice();
  }
}

export const rates = new Rates();
