// `npm run mcpb` makes the bundle for Claude Desktop and other MCPB clients, with the official
// program for MCPB bundles.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { bundle, bundlePdfLibrary } from './bundle.mjs';
import { installed, repository, run } from './outside-programs.mjs';
import { bundledPackages, licenceTexts } from './release/bundled-packages.mjs';
import { withFixedDates } from './release/with-fixed-dates.mjs';

const bytesMax = 3_000_000;
const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-mcpb-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const server = join(folder, 'server');
const file = join(repository, 'dist', 'vaultdoor.mcpb');

mkdirSync(server);
const outfile = join(server, 'vaultdoor.cjs');
const { packages } = await bundle({ outfile, sqlite: 'builtin' });
const pdf = await bundlePdfLibrary({ outfile: join(server, 'pdf-library.cjs') });
const licences = licenceTexts(
  bundledPackages({ 'vaultdoor.cjs': packages, 'pdf-library.cjs': pdf.packages }),
);
writeFileSync(join(server, 'licenses.txt'), licences);
copyFileSync(join(repository, 'scripts', 'mcpb', 'start.mjs'), join(server, 'start.mjs'));
copyFileSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'));

const facts = join(repository, 'scripts', 'mcpb', 'write-facts.ts');
await mustRun(process.execPath, ['scripts/run-ts.mjs', facts, folder]);
const mcpb = join(await installed('@anthropic-ai/mcpb', '2.1.2'), '.bin', 'mcpb');
await mustRun(mcpb, ['validate', join(folder, 'manifest.json')]);
await mustRun(mcpb, ['pack', folder, file]);
writeFileSync(file, withFixedDates(readFileSync(file)));

const bytes = statSync(file).size;
process.stdout.write(`dist/vaultdoor.mcpb: ${bytes.toLocaleString('en')} bytes\n`);
if (bytes > bytesMax) throw new Error(`The bundle is larger than ${bytesMax} bytes.`);

async function mustRun(program, args) {
  const { code, stdout, stderr } = await run(program, args, { cwd: repository });
  if (code !== 0) throw new Error(`${program} ${args[0]} failed (${code}):\n${stdout}${stderr}`);
}
