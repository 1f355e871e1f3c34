// Reads one page as a user would: `node scripts/pages/try-page.mjs <page> <clone>`. The copy of the
// repository at <clone> is built already, unless the page is README.md, which builds it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { check, exampleVault, repository, run, temporaryHome } from '../outside-programs.mjs';
import { blocksOf } from './page-blocks.mjs';
import { Reader } from './reader.mjs';
import { makeSsh, makeStandIns } from './stand-ins.mjs';

const [page, clone] = process.argv.slice(2);
const isReadme = page === 'README.md';
const { home } = temporaryHome('page');
const programs = join(home, '.programs');

// What the pages take for granted: a vault that Obsidian knows, and apps that were started once.
const vault = exampleVault(join(home, 'Notes'));
for (const folder of ['.config/Claude', '.config/Code/User', '.config/obsidian', '.cursor']) {
  mkdirSync(join(home, folder), { recursive: true });
}
const known = { vaults: { a1b2c3: { path: vault, ts: Date.now(), open: true } } };
writeFileSync(join(home, '.config', 'obsidian', 'obsidian.json'), JSON.stringify(known));
await makeStandIns({ programs, clone, isBuilt: !isReadme });
const blocks = blocksOf(readFileSync(join(repository, page), 'utf8'));
const needsSsh = blocks.some(({ text }) => text.includes('me@server'));
const sshServer = needsSsh ? await makeSsh({ programs, home }) : undefined;
const env = {
  HOME: home,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  npm_config_update_notifier: 'false', // The real npm would tell of a newer npm.
  PATH: `${programs}:${process.env.PATH}`,
};

check(`${page} has commands`, blocks.length > 2, blocks);
const reader = new Reader({ page, home, clone, env });
for (const block of blocks) {
  if (block.reason !== undefined) process.stdout.write(`${page}:${block.line}: ${block.reason}\n`);
  else if (block.language === 'json') await reader.tryConfiguration(block);
  else await reader.type(block);
}
await reader.leave();
if (isReadme) {
  const { code, stdout } = await run('git', ['status', '--porcelain'], { cwd: clone });
  check(
    'README.md: its commands leave the checkout as it was',
    code === 0 && stdout === '',
    stdout,
  );
}
await sshServer?.stop();
process.exit();
