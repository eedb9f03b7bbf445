// The depth of the queues over the time that this page has been open: one point for each overview that was loaded.
import type { Overview } from '../api/overview';

const POINTS = 600;

class Depth {
  points = $state.raw<{ at: number; ready: number; running: number }[]>([]);

  take(overview: Overview) {
    const at = Date.parse(overview.now) / 1000;
    if (this.points.at(-1)?.at === at) return;
    const sum = (of: (door: Overview['doors'][number]) => number) =>
      overview.doors.reduce((total, door) => total + of(door), 0);
    this.points = [
      ...this.points.slice(1 - POINTS),
      { at, ready: sum((door) => door.ready), running: sum((door) => door.running) },
    ];
  }
}

export const depth = new Depth();
