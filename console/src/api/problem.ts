// One form of an error, whichever door it came from.

export interface NextAction {
  action: string;
  available: boolean;
  recommended: boolean;
  method?: string;
  endpoint?: string;
  required_fields?: string[];
  retry_after_seconds?: number;
}

export interface ProblemDetail {
  message: string;
  pointer?: string;
  code?: string;
  severity?: string;
  hint?: string;
}

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly next: NextAction[] = [],
    readonly details: ProblemDetail[] = [],
    readonly retryable = false,
  ) {
    super(message);
    this.name = 'Problem';
  }

  /** What a person can do now, in a sentence; the server's own recommendation where there is one. */
  get advice(): string | null {
    const recommended = this.next.find((each) => each.recommended && each.available);
    if (recommended && ADVICE[recommended.action]) {
      const wait = recommended.retry_after_seconds;
      return ADVICE[recommended.action] + (wait ? ` Wait ${wait} s first.` : '');
    }
    if (this.status === 0) return 'The page asks again by itself when the server answers.';
    if (this.status === 403)
      return 'Sign in with a key that has this scope: ./orchestrion keys create --name NAME --scopes SCOPE';
    if (this.status === 404)
      return 'Look whether the address is whole. The item may also have been removed after its retention.';
    if (this.status === 409) return 'Something has changed meanwhile. Reload the item and look again.';
    if (this.status === 429 || this.status === 503) return 'Try again in a moment.';
    if (this.status >= 500)
      return 'Try again. If it stays, look into the log of the server for the request id.';
    return null;
  }
}

const ADVICE: Record<string, string> = {
  authenticate: 'Sign in again.',
  fix_request: 'Correct what is named, then send it again.',
  retry_after_wait: 'Try again in a moment.',
  check_task_status: 'Reload the task and look at its state.',
  list_tasks: 'Look for it in the list of tasks.',
  upgrade_plan: 'Choose a larger plan under Administration, Plans and billing.',
  renew_plan: 'Renew the plan under Administration, Plans and billing.',
  check_billing_status: 'Look at Administration, Plans and billing.',
  check_operation: 'Look at the operation.',
  requeue_task: 'Requeue the task.',
  release_task: 'Release the task.',
  check_execution: 'Reload the execution and look at its state.',
  list_executions: 'Look for it in the list of executions.',
  check_definition: 'Look at the definition.',
  list_definitions: 'Look for it in the list of definitions.',
  validate_definition: 'Correct the findings of the definition.',
  create_version: 'Make a new version: a published one never changes.',
  publish_definition: 'Publish the version first.',
  check_approval: 'Reload the approval: somebody has decided.',
  list_approvals: 'Look into the inbox of approvals.',
  check_dead_letter: 'Reload the dead letter and look at its state.',
  list_dead_letters: 'Look for it among the dead letters.',
  list_review: 'Look for it under review.',
  check_run: 'Reload the run and look at its state.',
  list_runs: 'Look for it in the list of runs.',
  check_credits: 'Look at the credits: an operator can grant more.',
  list_escalations: 'Look at the escalations.',
};

type Json = Record<string, unknown>;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function problemOf(status: number, body: unknown): Problem {
  const json: Json = body !== null && typeof body === 'object' ? (body as Json) : {};
  const contract = (json.agent_contract ?? {}) as { next_actions?: NextAction[]; retryable?: boolean };
  const raw = (json.details ?? json.errors ?? []) as (ProblemDetail & { field?: string })[];
  const details = raw.map((each) => ({ ...each, pointer: each.pointer ?? each.field }));
  return new Problem(
    status,
    text(json.error) ?? text(json.code) ?? `http_${status}`,
    text(json.message) ?? text(json.detail) ?? text(json.title) ?? `The server answered ${status}.`,
    text(json.request_id) ?? text(json.instance) ?? null,
    contract.next_actions ?? [],
    details,
    contract.retryable ?? json.retryable === true,
  );
}

export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof TypeError) return new Problem(0, 'unreachable', 'The server does not answer.');
  return new Problem(0, 'page', thrown instanceof Error ? thrown.message : String(thrown));
}
