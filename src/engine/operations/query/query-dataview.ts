import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { ExpressionError } from '../../bases/syntax/expression-error.ts';
import { parseDataview } from '../../dataview/parse-dataview.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { type BaseSource, placedIn } from './base-source.ts';
import { evaluateDataview } from './evaluate-query.ts';
import type { BaseAnswer } from './query-base.ts';
import { vaultFacts } from './vault-facts.ts';

/** A query in the language of Dataview: one that a call says itself, or a block of a note. */
interface DataviewAsked {
  readonly text: string;
  /** The note with the block, and the block's number; absent for a query of the call. */
  readonly block?: { readonly path: VaultPath; readonly view: string };
  /** Where a place of the text is in the note. */
  readonly inNote?: BaseSource['inNote'];
  readonly self: VaultPath | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Evaluates a query of Dataview over the vault. What is wrong inside a block is in `errors`. A query
 * of the call itself that cannot be read, or that asks for what is not supported, fails with
 * `invalid_input`: the caller can write another one at once.
 */
export async function queryDataview(vault: BoundVault, asked: DataviewAsked): Promise<BaseAnswer> {
  const { text, block, inNote, self, limit, offset } = asked;
  const type = typeOf(text);
  if (block === undefined && type instanceof ExpressionError) throw unreadable(text, type);
  const { clock, disk } = vault.vault.parts;
  // The text of tasks counts as read when it is shown. Other queries may show it in any form.
  const facts = await vaultFacts(vault, { shown: type !== 'task' });
  const found = await evaluateDataview(vault, facts, {
    text,
    self,
    nowMs: clock.nowMs(),
    propertyTypes: await readPropertyTypes(disk, []),
    page: { limit, offset },
  });
  const { columns, total, paths, rows, errors } = found;
  if (type === 'task') {
    for (const [at, path] of paths.entries()) vault.hasRead(path, JSON.stringify(rows[at]));
  }
  return {
    base: block?.path ?? null,
    view: block?.view ?? 'Dataview',
    type: found.type,
    this: self ?? null,
    columns,
    titles: columns,
    total,
    paths,
    rows,
    errors: placedIn(inNote, errors),
  };
}

/** What kind of query a text is, or why it cannot be evaluated. */
export function typeOf(text: string): string | ExpressionError {
  try {
    const { type, unsupported } = parseDataview(text);
    return unsupported ?? type;
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

function unreadable(text: string, { code, message, range }: ExpressionError): VaultError {
  const { line, col } = new LineIndex(text).positionAt(range?.start ?? 0);
  const where = `line ${line + 1}, column ${col + 1}`;
  return new VaultError(
    'invalid_input',
    `The Dataview query cannot be evaluated (${where}): ${message}`,
    { details: { code, line: line + 1, column: col + 1 } },
  );
}
