// The file that an MCPB client starts. macOS refuses native files in a bundle, so the program uses
// Node's own SQLite, which has full-text search since Node 22.16.
import process from 'node:process';

if (hasSqlite()) {
  await import('./vaultdoor.cjs');
} else {
  process.stderr.write(
    `vaultdoor: This extension needs Node 22.16 or newer and was started with ${process.version}; update the app that started it, or the Node that it uses.\n`,
  );
  process.exitCode = 6; // The same exit code as `unavailable` on the command line.
}

function hasSqlite() {
  const { emitWarning } = process;
  process.emitWarning = () => undefined; // Node 22 warns that this module is experimental.
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
