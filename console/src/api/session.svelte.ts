// Who is signed in. The session itself is a cookie that no script can read.
import { clock } from '../lib/clock.svelte';
import { live } from '../live/events.svelte';
import { onSignedOut, send } from './client';
import { asProblem, Problem } from './problem';

export interface SessionInfo {
  session: {
    id: string;
    keyId: string;
    keyName: string | null;
    scopes: string[];
    createdAt: string;
    lastSeenAt: string;
    idleSeconds: number;
    expiresAt: string;
    current: boolean;
  };
  account: { id: string; name: string | null };
  server: { version: string; now: string };
  masked: string[];
}

class Session {
  info = $state.raw<SessionInfo>();
  /** False until it is known whether somebody is signed in. */
  known = $state(false);
  /** Why nobody is signed in any more, or why the start did not work. */
  problem = $state.raw<Problem>();

  constructor() {
    onSignedOut(() => {
      if (this.info) this.problem = new Problem(401, 'session_over', 'The session is over. Sign in again.');
      this.info = undefined;
    });
  }

  has(scope: string): boolean {
    const scopes = this.info?.session.scopes ?? [];
    return scopes.includes(scope) || scopes.includes('admin');
  }

  /** Whether the session may change anything at all. The server decides each call; this only saves a useless click. */
  get readOnly(): boolean {
    const scopes = this.info?.session.scopes ?? [];
    return scopes.length > 0 && scopes.every((scope) => scope === 'read' || scope.endsWith(':read'));
  }

  async begin() {
    const link = /^#link=(.+)$/.exec(location.hash)?.[1];
    if (link) {
      // The address is in the history and on the screen: the link leaves it before anything else happens.
      history.replaceState(null, '', location.pathname + location.search);
      await this.enter(() => send('POST', '/console/session', { body: { link: decodeURIComponent(link) } }));
      if (this.info) return;
    }
    try {
      this.entered(await send<SessionInfo>('GET', '/console/session'));
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.status !== 401 && !this.problem) this.problem = problem;
    }
    this.known = true;
  }

  signIn(key: string) {
    return this.enter(() =>
      send('POST', '/console/session', { headers: { Authorization: `Bearer ${key}` } }),
    );
  }

  async signOut() {
    await send('DELETE', '/console/session');
    live.stop();
    this.info = undefined;
    this.problem = undefined;
  }

  private async enter(call: () => Promise<SessionInfo>) {
    this.problem = undefined;
    try {
      this.entered(await call());
    } catch (thrown) {
      this.problem = asProblem(thrown);
    }
  }

  private entered(info: SessionInfo) {
    this.info = info;
    this.problem = undefined;
    this.known = true;
    clock.align(info.server.now);
    live.start();
  }
}

export const session = new Session();
