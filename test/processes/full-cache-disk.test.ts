import { expect, it } from 'vitest';
import { isQuick } from '../support/counts.ts';
import { canMountForItself, runOnSmallDisk } from '../support/own-mounts.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The index on a real disk that is full, through the program as it ships.

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
  const why =
    'The search index cannot be used, because its disk is full or its folder may not be written; make room there, or set XDG_CACHE_HOME to another folder.';
  expect(stdout).toContain(`! ${why} Links that may lead to "New.md" now were not looked for.`);
  expect(stderr).toBe(`vaultdoor: ${why}\n`);
  expect(stdout.slice(stdout.indexOf('searched'))).toContain('New.md');
  expect(code).toBe(0);
});
