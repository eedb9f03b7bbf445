// Numbers, times and texts as people read them.

const UNITS: [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return '–';
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  for (let i = 0; i < UNITS.length; i++) {
    const [size, unit] = UNITS[i]!;
    if (ms < size) continue;
    const whole = Math.floor(ms / size);
    const next = UNITS[i + 1];
    const rest = next ? Math.floor((ms % size) / next[0]) : 0;
    if (!next && ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
    return rest > 0 ? `${whole} ${unit} ${rest} ${next![1]}` : `${whole} ${unit}`;
  }
  return `${ms} ms`;
}

/** The largest unit alone: for narrow columns. */
export function about(ms: number): string {
  const size = Math.abs(ms);
  for (const [unit, name] of UNITS) if (size >= unit) return `${Math.floor(size / unit)} ${name}`;
  return '0 s';
}

export function relative(at: string | null | undefined, now: number): string {
  if (!at) return '–';
  const ms = Date.parse(at) - now;
  if (Math.abs(ms) < 1000) return 'now';
  return ms > 0 ? `in ${about(ms)}` : `${about(ms)} ago`;
}

const two = (n: number) => String(n).padStart(2, '0');

export function absolute(at: string | null | undefined, utc: boolean, millis = false): string {
  if (!at) return '–';
  const d = new Date(at);
  if (Number.isNaN(d.getTime())) return at;
  const text = utc
    ? `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`
    : `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
  return (millis ? `${text}.${String(d.getMilliseconds()).padStart(3, '0')}` : text) + (utc ? ' UTC' : '');
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

export const count = (n: number | null | undefined) =>
  n === null || n === undefined ? '–' : whole.format(n);
export const amount = (n: number | string | null | undefined) =>
  n === null || n === undefined ? '–' : exact.format(Number(n));

export function bytes(n: number | null | undefined): string {
  if (n === null || n === undefined) return '–';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = n;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

/** The last part of an id: enough to tell ids of one page apart, as their beginnings are times. */
export const shortId = (id: string) => (id.length > 13 ? `…${id.slice(-8)}` : id);

export const words = (name: string) => name.replaceAll('_', ' ').replaceAll('-', ' ').toLowerCase();

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle';

const TONES: Record<string, Tone> = {
  completed: 'good',
  succeeded: 'good',
  success: 'good',
  delivered: 'good',
  active: 'good',
  live: 'good',
  published: 'good',
  approved: 'good',
  ok: 'good',
  finished: 'good',
  resolved: 'good',
  reprocessed: 'good',
  handled: 'good',
  activated: 'good',
  fired: 'good',
  claimed: 'info',
  running: 'info',
  assigned: 'info',
  delivering: 'info',
  resuming: 'info',
  retrying: 'warn',
  paused: 'warn',
  waiting_approval: 'warn',
  awaiting_approval: 'warn',
  half_open: 'warn',
  degraded: 'warn',
  expired: 'warn',
  late: 'warn',
  missed: 'warn',
  draining: 'warn',
  dead_letter: 'bad',
  dead_lettered: 'bad',
  failed: 'bad',
  timed_out: 'bad',
  open: 'bad',
  rejected: 'bad',
  revoked: 'bad',
  unhealthy: 'bad',
  lease_expired: 'bad',
  mismatched: 'bad',
};

export const tone = (status: string): Tone => TONES[status.toLowerCase()] ?? 'idle';
