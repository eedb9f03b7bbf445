// The answer of GET /v1/tasks/{id}/waiting.
export interface WaitingReason {
  reason: string;
  message?: string | null;
  until?: string | null;
}
