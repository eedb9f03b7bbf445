// Everything that changes something goes through here: a question first, then the call, then what came of it.
import { asProblem, type Problem } from '../api/problem';

export interface ActionField {
  name: string;
  label: string;
  kind: 'text' | 'long' | 'json' | 'choice' | 'check' | 'number' | 'datetime';
  value?: string;
  options?: { value: string; label: string }[];
  required?: boolean;
  help?: string;
}

export type Values = Record<string, string>;

export interface Action {
  /** Stable: tests and keys find the button by it. */
  id: string;
  label: string;
  tone?: 'primary' | 'danger';
  /** What will happen, in a sentence. */
  question: string;
  fields?: ActionField[];
  /** Why it does not work now; the button is shown and says so. */
  not?: string | null;
  /** A key that starts it on the item's page. */
  key?: string;
  /** Answers a sentence for the person, or more that is to be shown, such as a new key. */
  run: (values: Values) => Promise<string | void | Outcome>;
}

export interface Outcome {
  message: string;
  /** Shown once, with a button to copy it. */
  secret?: string;
  /** Where to look now. */
  href?: string;
  link?: string;
}

export interface Toast {
  id: number;
  tone: 'good' | 'bad';
  message: string;
  advice?: string | null;
  href?: string;
  link?: string;
}

class Actions {
  open = $state.raw<{ action: Action; done?: () => void }>();
  busy = $state(false);
  problem = $state.raw<Problem>();
  outcome = $state.raw<Outcome>();
  toasts = $state.raw<Toast[]>([]);
  private next = 1;

  /** Asks about the action. `done` is called after it worked. */
  ask(action: Action, done?: () => void) {
    this.problem = undefined;
    this.outcome = undefined;
    this.open = { action, done };
  }

  close() {
    this.open = undefined;
    this.problem = undefined;
    this.outcome = undefined;
  }

  async perform(values: Values) {
    const opened = this.open;
    if (!opened || this.busy) return;
    this.busy = true;
    this.problem = undefined;
    try {
      const answer = await opened.action.run(values);
      const outcome = typeof answer === 'string' ? { message: answer } : answer;
      if (outcome?.secret) this.outcome = outcome;
      else {
        this.close();
        this.say(outcome?.message ?? `${opened.action.label}: done`, outcome ?? undefined);
      }
      opened.done?.();
    } catch (thrown) {
      this.problem = asProblem(thrown);
    } finally {
      this.busy = false;
    }
  }

  say(message: string, more: { href?: string; link?: string } = {}) {
    this.add({ tone: 'good', message, href: more.href, link: more.link });
  }

  complain(thrown: unknown) {
    const problem = asProblem(thrown);
    this.add({ tone: 'bad', message: problem.message, advice: problem.advice });
  }

  private add(toast: Omit<Toast, 'id'>) {
    const id = this.next++;
    this.toasts = [...this.toasts.slice(-3), { ...toast, id }];
    setTimeout(() => this.dismiss(id), toast.tone === 'bad' ? 15_000 : 6_000);
  }

  dismiss(id: number) {
    this.toasts = this.toasts.filter((each) => each.id !== id);
  }
}

export const actions = new Actions();

export async function copy(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text);
    actions.say(`${what} copied`);
  } catch {
    actions.complain(new Error('The browser did not allow copying. Select the text instead.'));
  }
}
