import { vaultPath } from '../../src/base/vault-path.ts';
import { checkIndex } from '../../src/engine/operations/vault/check-index.ts';
import { wholeVault } from '../../src/engine/ports/view.ts';
import { indexFolder } from '../support/indexed-vault.ts';
import { unpackVault } from '../support/unpack-vaults.ts';

// `npm run corpora`: indexes the six public vaults, checks that the index is right, and prints
// what is in them. Fails when anything is not as it must be.

const names = ['tasks-demo', 'kepano', 'astrowiki', 'knowledge-garden-zh', 'blue-book', 'garden'];

interface Figures {
  readonly vault: string;
  readonly files: number;
  readonly notes: number;
  readonly links: number;
  readonly backlinks: number;
  readonly unresolved: number;
  readonly tags: number;
  readonly properties: number;
  readonly problems: number;
  readonly seconds: number;
  readonly faults: number;
}

export async function main(): Promise<void> {
  const rows: Figures[] = [];
  for (const name of names) rows.push(await figuresOf(name));
  console.table(Object.fromEntries(rows.map(({ vault, ...row }) => [vault, row])));
  if (rows.some((row) => row.faults > 0)) process.exitCode = 1;
}

async function figuresOf(name: string): Promise<Figures> {
  const folder = await unpackVault(name);
  const start = performance.now();
  const { vault, store, close } = await indexFolder(folder);
  const seconds = (performance.now() - start) / 1000;
  const faults: string[] = [];
  const page = { limit: 100_000, offset: 0 };
  const files = await store.files(wholeVault, {
    folder: '',
    kinds: ['note', 'canvas', 'base', 'attachment'],
    sort: 'path',
    ...page,
  });
  let out = 0;
  let back = 0;
  let leadNowhere = 0;
  for (const file of files.items) {
    const links = await store.linksFrom(wholeVault, vaultPath(file.path));
    out += links.filter((link) => link.target !== undefined).length;
    leadNowhere += links.filter((link) => link.target === undefined).length;
    back += (await store.linksTo(wholeVault, vaultPath(file.path), page)).total;
  }
  if (out !== back) faults.push(`links out (${out}) and links in (${back}) do not balance`);
  const unresolved = await store.unresolved(wholeVault, page);
  const counted = unresolved.items.reduce((sum, row) => sum + row.count, 0);
  if (counted !== leadNowhere) faults.push(`unresolved: ${counted} counted, ${leadNowhere} found`);
  const status = await store.status(wholeVault);
  if (status.indexed !== status.notes || status.searchable !== status.notes) {
    faults.push(
      `of ${status.notes} notes ${status.indexed} indexed, ${status.searchable} searchable`,
    );
  }
  for (const { in: side, line } of await checkIndex(vault.parts)) faults.push(`${side}: ${line}`);
  for (const fault of faults.slice(0, 20)) console.error(`${name}: ${fault}`);
  const figures = {
    vault: name,
    files: files.total,
    notes: status.notes,
    links: out + leadNowhere,
    backlinks: back,
    unresolved: unresolved.total,
    tags: (await store.tags(wholeVault)).length,
    properties: (await store.properties(wholeVault)).length,
    problems: (await store.problems(wholeVault, { limit: 0, offset: 0 })).total,
    seconds: Math.round(seconds * 100) / 100,
    faults: faults.length,
  };
  await close();
  return figures;
}
