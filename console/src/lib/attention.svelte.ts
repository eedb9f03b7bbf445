// What waits for a person, as the navigation shows it. It comes with the overview, and again after events that change it.
import { send } from '../api/client';
import type { Overview } from '../api/overview';
import { live, ofKinds } from '../live/events.svelte';

class Attention {
  overview = $state.raw<Overview>();
  problem = $state.raw<unknown>();
  private started = false;

  /** Counts of an entry of the navigation. */
  of(path: string): number {
    const waiting = this.overview?.attention;
    if (!waiting) return 0;
    if (path === '/approvals') return waiting.approvals + waiting.runApprovals;
    if (path === '/dead-letters') return waiting.deadLetters;
    if (path === '/review') return waiting.reviews;
    if (path === '/escalations') return waiting.escalations;
    return 0;
  }

  start() {
    if (this.started) return;
    this.started = true;
    void this.load();
    const kinds = ofKinds('approval', 'dead_letter', 'run_approval', 'run_ticket', 'execution', 'run');
    live.follow(
      (event) => kinds(event) || event.event === 'dead_lettered' || event.event === 'requeued',
      () => void this.load(),
      5000,
    );
  }

  async load() {
    try {
      this.overview = await send<Overview>('GET', '/v1/overview');
      this.problem = undefined;
    } catch (thrown) {
      this.problem = thrown;
    }
  }
}

export const attention = new Attention();
