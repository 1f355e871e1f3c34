// Replaces native SQLite in the MCPB bundle. It is never used, because `start.mjs` first makes sure
// that Node has its own SQLite.
export class DatabaseSync {
  constructor() {
    throw new Error('The bundle does not contain SQLite.');
  }
}
