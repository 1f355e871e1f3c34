// Stands in the MCPB bundle where native SQLite is elsewhere. Nothing reaches it: `start.mjs` has
// made sure that Node has its own.
export class DatabaseSync {
  constructor() {
    throw new Error('The bundle has no SQLite of its own.');
  }
}
