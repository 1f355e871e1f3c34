// Stands in the daemon's single file where native SQLite is elsewhere: Node's own, even if it was
// built without full text, which only search needs.
import process from 'node:process';

export const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
