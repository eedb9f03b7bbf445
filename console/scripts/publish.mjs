// The last step of `npm run build`: writes sources.sha256 beside the built files.
//
// The hash is SHA-256 over these lines, sorted by path (as UTF-16 code units), each ended by a line feed:
//   <SHA-256 of the file's bytes, in hex> <two spaces> <path below console/, with />
// for every file below src/, public/ and scripts/, and for index.html, package.json, package-lock.json, svelte.config.js,
// tsconfig.json and vite.config.ts. The types of the API (src/api/schema.d.ts) are among them.
// sources.sha256 holds the hash in hex and a line feed. SourcesHash in the server's tests does the same without Node.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const single = [
  'index.html',
  'package-lock.json',
  'package.json',
  'svelte.config.js',
  'tsconfig.json',
  'vite.config.ts',
];
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const below = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? below(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );

const paths = [...single, ...['src', 'public', 'scripts'].flatMap(below)].sort();
const lines = paths.map((path) => `${sha256(readFileSync(join(root, path)))}  ${path}\n`);
const target = process.argv[2] ?? join(root, '../server/src/main/resources/io/orchestrion/server/console/dist');
writeFileSync(join(target, 'sources.sha256'), sha256(lines.join('')) + '\n');
