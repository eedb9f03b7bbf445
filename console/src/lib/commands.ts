// The same thing without the console: as a curl line and as a command.

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function curl(method: string, path: string, body?: unknown): string {
  const parts = [`curl -s ${quoted(location.origin + path)}`, '-H "Authorization: Bearer $KEY"'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' ');
}

export const cli = (...words: string[]) =>
  ['./orchestrion', ...words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word)))].join(' ');
