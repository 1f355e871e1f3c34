// Replaces native SQLite in the single-file daemon with Node's own SQLite. That SQLite may lack
// full-text search, which only `fs.search` needs.
import process from 'node:process';

export const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
