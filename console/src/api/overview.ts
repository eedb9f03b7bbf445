// The answer of GET /v1/overview.

export interface Door {
  door: string;
  waiting: number;
  ready: number;
  running: number;
  dead: number;
  oldestReadyAt: string | null;
  since: string | null;
  created: number;
  succeeded: number;
  failed: number;
  retried: number;
  deadLettered: number;
  waitP95Ms: number | null;
  runP95Ms: number | null;
}

export interface TypeLoad {
  door: string;
  type: string;
  ready: number;
  oldestReadyAt: string | null;
  created: number;
  succeeded: number;
  failed: number;
  retried: number;
  deadLettered: number;
  waitP95Ms: number | null;
  runP95Ms: number | null;
}

export interface Overview {
  now: string;
  countedTo: number;
  doors: Door[];
  types: TypeLoad[];
  leases: { held: number; atRisk: number; workers: number };
  runners: { alive: number };
  attention: {
    approvals: number;
    deadLetters: number;
    reviews: number;
    runApprovals: number;
    escalations: number;
    held: number;
    webhooksPaused: number;
  };
  credits: { balance: string; reserved: string } | null;
  duties: { name: string; secondsSinceLastRun: number; late: boolean }[];
}
