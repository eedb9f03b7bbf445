// Addresses of the page, on the browser's history. The query of an address holds the filters of a list.

export const BASE = '/console';

export class Router {
  path = $state('/');
  search = $state.raw(new URLSearchParams());
  hash = $state('');
  /** Changes with each visit, so that a page that is opened again starts anew. */
  visits = $state(0);

  constructor() {
    this.read();
    window.addEventListener('popstate', () => this.read());
    document.addEventListener('click', (event) => this.clicked(event));
  }

  private read() {
    const path = location.pathname.startsWith(BASE) ? location.pathname.slice(BASE.length) : '';
    const next = path === '' ? '/' : path;
    if (next !== this.path) this.visits++;
    this.path = next;
    this.search = new URLSearchParams(location.search);
    this.hash = location.hash;
  }

  go(to: string, replace = false) {
    if (replace) history.replaceState(null, '', BASE + to);
    else history.pushState(null, '', BASE + to);
    const before = this.path;
    this.read();
    if (this.path !== before) window.scrollTo(0, 0);
  }

  /** Changes parts of the query and keeps the rest. An empty value removes a part. */
  filter(changes: Record<string, string | null | undefined>, replace = true) {
    const next = new URLSearchParams(this.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    const query = next.toString();
    this.go(this.path + (query === '' ? '' : `?${query}`), replace);
  }

  private clicked(event: MouseEvent) {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return;
    event.preventDefault();
    this.go(link.pathname.slice(BASE.length) + link.search + link.hash);
  }
}

export const router = new Router();

export const href = (path: string) => BASE + path;

/** The address of a part of a path: ids of others may hold any character. */
export const part = (id: string | number) => encodeURIComponent(String(id));
