// One ticking clock for all relative times of the page. It stands still in a hidden tab.

class Clock {
  now = $state(Date.now());
  /** How far the server's clock is ahead of this machine's. */
  ahead = $state(0);

  constructor() {
    setInterval(() => this.tick(), 1000);
    document.addEventListener('visibilitychange', () => this.tick());
  }

  tick() {
    if (document.visibilityState === 'visible') this.now = Date.now() + this.ahead;
  }

  /** Takes the server's time from an answer. */
  align(server: string) {
    const at = Date.parse(server);
    if (!Number.isNaN(at)) this.ahead = at - Date.now();
    this.tick();
  }
}

export const clock = new Clock();
