// Actions that are one call with at most a sentence of a person.
import { send } from '../api/client';
import type { Action, ActionField } from './actions.svelte';

interface Verb {
  id: string;
  label: string;
  question: string;
  path: string;
  method?: string;
  tone?: 'primary' | 'danger';
  /** What is said afterwards. */
  did: string;
  not?: string | null;
  fields?: ActionField[];
  /** The body, made of what the person wrote. */
  body?: (values: Record<string, string>) => unknown;
}

export function verb(of: Verb): Action {
  return {
    id: of.id,
    label: of.label,
    question: of.question,
    tone: of.tone,
    not: of.not,
    fields: of.fields,
    run: async (values) => {
      const method = of.method ?? 'POST';
      const body = of.body ? of.body(values) : method === 'POST' ? {} : undefined;
      await send(method, of.path, { body });
      return of.did;
    },
  };
}

/** A sentence that goes into the history and the audit. */
export const sentence = (name: 'reason' | 'note', required: boolean): ActionField => ({
  name,
  label: `${name === 'reason' ? 'Reason' : 'Note'}${required ? '' : ' (optional)'}`,
  kind: 'long',
  required,
  help: 'It is kept in the history.',
});

export const reasonBody = (values: Record<string, string>) =>
  values.reason?.trim() ? { reason: values.reason.trim() } : {};
export const noteBody = (values: Record<string, string>) =>
  values.note?.trim() ? { note: values.note.trim() } : {};
