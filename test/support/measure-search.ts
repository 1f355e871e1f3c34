import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { QualityQuery, QualityVault } from '../../bench/quality/read-queries.ts';
import { readQueries } from '../../bench/quality/read-queries.ts';
import type { Scores } from '../../bench/quality/score-answers.ts';
import { resultsMax, scoreAnswer, scoresOf } from '../../bench/quality/score-answers.ts';
import { searchFloors } from '../../bench/quality/search-floors.ts';
import { vaultFolder } from '../../src/base/vault-path.ts';
import { searchNotes } from '../../src/engine/operations/search/search-notes.ts';
import { openWrittenFolder } from './written-vault.ts';

/** Expects every note that a query expects to be in the vault's folder. */
export function expectNotesThere(folder: string, queries: readonly QualityQuery[]): void {
  const expected = queries.flatMap((query) => query.expected);
  expect(expected.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
}

/** Expects search in the folder of a vault to reach its floors, through the engine. */
export async function expectFloorsReached(vault: QualityVault, folder: string): Promise<void> {
  const floors = searchFloors[vault];
  const { mrr, recall } = await measureSearch(folder, readQueries(vault));
  expect(mrr, 'mean reciprocal rank').toBeGreaterThanOrEqual(floors.mrr);
  expect(recall, 'recall at 10').toBeGreaterThanOrEqual(floors.recall);
}

async function measureSearch(folder: string, queries: readonly QualityQuery[]): Promise<Scores> {
  const opened = await openWrittenFolder(folder);
  try {
    const page = { folder: vaultFolder(''), limit: resultsMax, offset: 0 };
    const answers = [];
    for (const query of queries) {
      const { hits } = await searchNotes(opened.vault, { ...page, query: query.text });
      answers.push(
        scoreAnswer(
          query,
          hits.map(({ path }) => path),
        ),
      );
    }
    return scoresOf(answers);
  } finally {
    await opened.close();
  }
}
