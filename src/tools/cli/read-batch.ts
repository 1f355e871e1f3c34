import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { type BatchStep, labelledFailure } from '../../engine/operations/write/run-batch.ts';
import type { Draft } from '../../engine/vault/draft.ts';
import { checkInput } from '../define/check-input.ts';
import type { AnyTool, PlannedChange } from '../define/define-tool.ts';
import { nearestName } from '../define/nearest-name.ts';

/**
 * The operations of a batch, one JSON object a line: `{"op":"append","name":"A","text":"x"}`.
 * `op` is a command (`tag-rename` for "tag rename") and the rest are its arguments. Fails with
 * `invalid_input` and the number of the first line that is wrong.
 */
export function readBatch(
  text: string,
  { tools, dryRun }: { readonly tools: readonly AnyTool[]; readonly dryRun: boolean },
): readonly BatchStep[] {
  const changes = changesOf(tools);
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, label: `Line ${index + 1}` }))
    .filter(({ line }) => line.trim() !== '');
  if (lines.length === 0) throw new VaultError('invalid_input', 'The batch has no operations.');
  if (lines.length > limits.batchOperationsMax) {
    throw new VaultError(
      'too_large',
      `The batch has ${lines.length} operations; at most ${limits.batchOperationsMax} are one change.`,
    );
  }
  return lines.map(({ line, label }) => {
    try {
      const { plan, request } = requestOf(line, changes);
      return { label, plan: (draft: Draft) => plan(draft, { ...request, dryRun }) };
    } catch (error) {
      throw labelledFailure(label, error);
    }
  });
}

/** The changes that a batch can make, by `op`. */
function changesOf(tools: readonly AnyTool[]): ReadonlyMap<string, PlannedChange> {
  return new Map(
    tools.flatMap(({ name, change }) =>
      change === undefined ? [] : [[name.replaceAll(' ', '-'), change] as const],
    ),
  );
}

/** The change that a line asks for, and its arguments. */
function requestOf(line: string, changes: ReadonlyMap<string, PlannedChange>) {
  const { op, ...args } = objectOf(line);
  const change = changes.get(String(op));
  if (change === undefined) {
    const known = [...changes.keys()];
    const nearest = typeof op === 'string' ? nearestName(op, known) : undefined;
    const meant = nearest === undefined ? '' : `; "${nearest}" comes closest`;
    throw new VaultError('invalid_input', `"op" must be one of ${known.join(', ')}${meant}.`);
  }
  const { plan, input } = change;
  return { plan, request: checkInput({ name: String(op), input }, args) };
}

function objectOf(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line.trim()); // `trim` removes the byte order mark that Windows pipes may add.
  } catch {
    // The message of `JSON.parse` would quote the line, which may be note text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new VaultError(
    'invalid_input',
    'this is not a JSON object on one line, like {"op":"create","path":"A"}.',
  );
}
