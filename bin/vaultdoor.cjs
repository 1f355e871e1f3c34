#!/usr/bin/env node
// What `npx vaultdoor` runs. It is a file of its own, and not the built program, because npx keeps a
// link to it: if the file does not exist yet when npx is first used in a clone, npx never finds the
// program, not even after it was built. An old Node must be able to read it, too.
'use strict';

const program = find();
if (program === undefined) {
  process.stderr.write(
    'vaultdoor: The program is not built yet. Build it: npm ci && npm run build\n',
  );
  process.exitCode = 6;
} else {
  require(program);
}

function find() {
  try {
    return require.resolve('../dist/vaultdoor.js');
  } catch (_error) {
    return undefined;
  }
}
