import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { folderRows, folderWriteRows } from '../intrusion/folder-cases.ts';
import { GuardedVault, placeOf, treasure } from '../intrusion/guarded-vault.ts';
import {
  forwardedHeaders,
  honestRows,
  type KnockRow,
  methodRows,
  pageRows,
  unclearRows,
} from '../intrusion/head-cases.ts';
import { type Address, ask, knock } from '../intrusion/knock.ts';
import { pathRows } from '../intrusion/path-cases.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Every way in without the right to, over real sockets to the built program: what is tried, and how
// the answer begins. After each, the vault is byte for byte as before, and the log has told nothing.

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends.reverse()) end();
});

let vault: GuardedVault;
/** On loopback, without tokens: every program of the machine may come in. */
let open: Address;
/** Offered by a tunnel, and asks for tokens. */
let guarded: Address;
let wholeToken: string;
let folderToken: string;

beforeAll(async () => {
  vault = new GuardedVault((end) => ends.push(end));
  await vault.run('append', 'Secret/zq.md', 'more of the quagga');
  vault.remember();
  wholeToken = await vault.token('whole');
  folderToken = await vault.token('folder', '--folder', 'Work');
  const remote = tempFolder({ 'okapi.md': 'okapi' }, (end) => ends.push(end));
  const tools = ['--tools', 'agent,notes,obsidian'];
  open = placeOf(await vault.serve(tools));
  guarded = placeOf(
    await vault.serve([
      ...tools,
      ...['--public-url', 'https://notes.example.org'],
      ...['--sync', 'pull', '--sync-remote', remote],
    ]),
  );
});

afterEach(() => vault.expectUntouched());

/** Compares the beginning of an answer. */
function expectLine(line: string, expected: string): void {
  expect(line.slice(0, expected.length)).toBe(expected);
}

async function refused(...[, request, expected]: KnockRow): Promise<void> {
  const { line, headers } = await knock(open, request);
  expectLine(line, expected);
  // Nothing that a page of others could read, and nothing about what answers.
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull();
}

describe('whoever has the right to comes in', () => {
  it.each(honestRows)('%s', async (_, request, expected) => {
    expectLine((await knock(open, request)).line, expected);
  });
});

describe('web pages and names of others', () => {
  it.each(pageRows)('%s', refused);
});

describe('requests that could be understood in two ways', () => {
  it.each(unclearRows)('%s', refused);
});

describe('methods and addresses', () => {
  it.each(methodRows)('%s', refused);
});

describe('a proxy or tunnel that nobody has declared', () => {
  it.each(forwardedHeaders)('%s', async (header) => {
    const [name = ''] = header.split(':');
    for (const line of ['POST /mcp HTTP/1.1', 'GET /health HTTP/1.1']) {
      const { line: answer } = await knock(open, { line, headers: [header] });
      expectLine(answer, `403 -32000 These headers (${name}) say that a proxy or tunnel brought`);
      expect(answer).toContain('--public-url');
    }
  });
});

describe('names that could lead out of the vault', () => {
  it.each(pathRows)('%s', async (what, request, kind, part) => {
    const { line } = await ask(open, request);
    show(what, line);
    expectLine(line, `200 ${kind}`);
    expect(line).toContain(part);
    expect(line).not.toMatch(treasure);
  });
});

describe('a token for another folder', () => {
  it.each(folderRows)('%s', async (what, request, kind, part) => {
    const { line } = await ask(guarded, { ...request, token: folderToken });
    show(what, line);
    expectLine(line, `200 ${kind}`);
    expect(line).toContain(part);
    expect(line).not.toMatch(treasure);
    const { line: control } = await ask(guarded, { ...request, token: wholeToken });
    expect(control, 'what someone else may see').toMatch(treasure);
  });
  it.each(folderWriteRows)('%s', async (what, request, kind, part) => {
    const { line } = await ask(guarded, { ...request, token: folderToken });
    show(what, line);
    expectLine(line, `200 ${kind}`);
    expect(line).toContain(part);
    expect(line).not.toMatch(treasure);
  });
});

function show(what: string, line: string): void {
  if (process.env['SHOW']) process.stdout.write(`##${what}: ${line.slice(0, 600)}\n`);
}
