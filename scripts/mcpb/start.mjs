// What an MCPB client starts. macOS refuses native files in a bundle, so Node's own SQLite must do,
// and it has full text since 22.16.
import process from 'node:process';

if (hasSqlite()) {
  await import('./vaultdoor.cjs');
} else {
  process.stderr.write(
    `vaultdoor: This extension needs Node 22.16 or newer and was started with ${process.version}; update the app that started it, or the Node that it uses.\n`,
  );
  process.exitCode = 6; // `unavailable`, as the command line has it.
}

function hasSqlite() {
  const { emitWarning } = process;
  process.emitWarning = () => undefined; // Node 22 warns that the module is young.
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    new DatabaseSync(':memory:').exec('CREATE VIRTUAL TABLE probe USING fts5(text)');
    return true;
  } catch {
    return false;
  } finally {
    process.emitWarning = emitWarning;
  }
}
