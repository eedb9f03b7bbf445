// What the browser remembers about how a person wants to see the console. Nothing of the server's data is kept.

export function stored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`orchestrion.${name}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function store(name: string, value: unknown): void {
  try {
    if (value === undefined || value === null) localStorage.removeItem(`orchestrion.${name}`);
    else localStorage.setItem(`orchestrion.${name}`, JSON.stringify(value));
  } catch {
    // Without storage a choice lasts as long as the page.
  }
}

export type Theme = 'system' | 'light' | 'dark';

class Prefs {
  theme = $state<Theme>(stored<Theme>('theme', 'system'));
  utc = $state(stored('utc', false));
  live = $state(stored('live', true));

  setTheme(theme: Theme) {
    this.theme = theme;
    if (theme === 'system') {
      store('theme', null);
      delete document.documentElement.dataset.theme;
    } else {
      store('theme', theme);
      document.documentElement.dataset.theme = theme;
    }
  }

  setUtc(utc: boolean) {
    this.utc = utc;
    store('utc', utc);
  }

  setLive(live: boolean) {
    this.live = live;
    store('live', live);
  }
}

export const prefs = new Prefs();

export interface SavedView {
  name: string;
  query: string;
}

/** The saved filters of a list. */
export class Views {
  all = $state<SavedView[]>([]);

  constructor(private readonly list: string) {
    this.all = stored<SavedView[]>(`views.${list}`, []);
  }

  save(name: string, query: string) {
    this.all = [...this.all.filter((each) => each.name !== name), { name, query }];
    store(`views.${this.list}`, this.all);
  }

  remove(name: string) {
    this.all = this.all.filter((each) => each.name !== name);
    store(`views.${this.list}`, this.all);
  }
}
