import { expect, it } from 'vitest';
import { isQuick } from '../support/counts.ts';
import { canMountForItself, runOnSmallDisk } from '../support/own-mounts.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The index on a real disk that is full, through the program as it ships.

it.runIf(canMountForItself && !isQuick)('with a full cache disk, commands search as usual', () => {
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
    "$@" search hello; echo "searched: $?"`;
  const { stdout, stderr } = runOnSmallDisk(cache, { script, bytes: 1 << 20 }, env);
  expect(stderr).toBe('');
  expect(stdout).toContain('created New.md');
  expect(stdout).toContain('created: 0');
  expect(stdout.slice(stdout.indexOf('created: 0'))).toMatch(/New\.md[\s\S]*searched: 0/);
});

// `delete_note` turns the links to the note into text, and only the index knows where they are.
it.runIf(canMountForItself && !isQuick)(
  'with a full cache disk, a server finds the links to a note, and the log says where its index is',
  () => {
    const vault = tempFolder({ 'A.md': 'hello', 'B.md': '[[A]]' });
    const cache = tempFolder();
    const state = tempFolder({ lines: [initialize, initialized, deleteNote, ''].join('\n') });
    const env = { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: state };
    const script = `
    head -c 1000000 /dev/zero > "$0/filler"
    "$@" stdio < "$XDG_STATE_HOME/lines"`;
    const { stdout, stderr, code } = runOnSmallDisk(cache, { script, bytes: 1 << 20 }, env);
    const [text] = JSON.parse(stdout.split('\n')[1] ?? '').result.content;
    expect(text.text).toContain('"unlinked":1');
    expect(stderr).toContain('The index cannot be written, so it is in memory');
    expect(code).toBe(0);
  },
);

const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const deleteNote =
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_note","arguments":{"name":"A"}}}';
