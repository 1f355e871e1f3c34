import { expect, it } from 'vitest';
import { isQuick } from '../support/counts.ts';
import { canMountForItself, runOnSmallDisk } from '../support/own-mounts.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The index on a real disk that is full, through the program as it ships.

const why =
  'The search index cannot be used, because its disk is full or its folder may not be written; make room there, or set XDG_CACHE_HOME to another folder.';

it.runIf(canMountForItself && !isQuick)('a full cache disk stops search, and nothing else', () => {
  const vault = tempFolder({ 'A.md': 'hello' });
  const cache = tempFolder();
  const env = {
    OBSIDIAN_VAULT_PATH: vault,
    XDG_CACHE_HOME: cache,
    XDG_STATE_HOME: tempFolder(),
  };
  const script = `
    head -c 1000000 /dev/zero > "$0/filler"
    "$@" create New hello; echo "created: $?"
    "$@" search hello; echo "searched: $?"
    rm "$0/filler"
    "$@" search hello`;
  const { stdout, stderr, code } = runOnSmallDisk(cache, { script, bytes: 1 << 20 }, env);
  expect(stdout).toContain('created New.md');
  expect(stdout).toContain('created: 0');
  expect(stdout).toContain('searched: 7');
  expect(stdout).toContain(`! ${why} Links that may lead to "New.md" now were not looked for.`);
  expect(stderr).toBe(`vaultdoor: ${why}\n`);
  expect(stdout.slice(stdout.indexOf('searched'))).toContain('New.md');
  expect(code).toBe(0);
});

// `delete_note` turns the links to the note into text, and only the index knows where they are.
it.runIf(canMountForItself && !isQuick)(
  'a full cache disk stops delete_note in one sentence',
  () => {
    const vault = tempFolder({ 'A.md': 'hello', 'B.md': '[[A]]' });
    const cache = tempFolder();
    const state = tempFolder({ lines: [initialize, initialized, deleteNote, ''].join('\n') });
    const env = { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: state };
    const script = `
    head -c 1000000 /dev/zero > "$0/filler"
    "$@" stdio < "$XDG_STATE_HOME/lines"
    "$@" delete A`;
    const { stdout, code } = runOnSmallDisk(cache, { script, bytes: 1 << 20 }, env);
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toMatchObject({
      id: 2,
      result: { isError: true, content: [{ type: 'text', text: why }] },
    });
    // The command keeps links unless it is told otherwise, so it only says that it does not list them.
    expect(stdout).toContain(`! ${why} Links that lead to "A.md" are not listed.`);
    expect(code).toBe(0);
  },
);

const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const deleteNote =
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_note","arguments":{"name":"A"}}}';
