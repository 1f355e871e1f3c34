import { packView } from '../../bases/query/packed-view.ts';
import { runView, type ViewRequest, type ViewResult } from '../../bases/query/run-view.ts';
import { factSource, type JsonFacts } from '../../dataview/query-runner.ts';
import {
  type DataviewRequest,
  type DataviewResult,
  runDataview,
} from '../../dataview/run-dataview.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { Turns } from '../../vault/turns.ts';

// Queries are evaluated in another thread: what they calculate may take as long as the call has time,
// and nobody else waits for it. Without threads they take turns with other calls.

/** Evaluates a view of a base over some facts. */
export async function evaluateView(
  vault: BoundVault,
  facts: JsonFacts,
  request: ViewRequest,
): Promise<ViewResult> {
  const { queries } = vault.vault.parts;
  const packed = queries === undefined ? undefined : packView(request);
  if (queries === undefined || packed === undefined) {
    const found = await runView(taken(vault, facts), request);
    return withPlaces(found, request, found.errors);
  }
  const query = { kind: 'view', request: packed.view } as const;
  const found = await queries.run(query, facts, vault.caller.signal);
  return withPlaces(found, request, packed.placed(found.errors));
}

/** Adds the places of errors that are about a column, a sort, a group or a summary of the view. */
function withPlaces(
  found: ViewResult,
  { view }: ViewRequest,
  errors: ViewResult['errors'],
): ViewResult {
  return {
    ...found,
    errors: errors.map((error) =>
      error.line === undefined ? { ...error, ...view.placeOf?.(error.at) } : error,
    ),
  };
}

/** Evaluates a query of Dataview over some facts. */
export async function evaluateDataview(
  vault: BoundVault,
  facts: JsonFacts,
  request: DataviewRequest,
): Promise<DataviewResult> {
  const { queries } = vault.vault.parts;
  if (queries === undefined) return runDataview(taken(vault, facts), request);
  return queries.run({ kind: 'dataview', request }, facts, vault.caller.signal);
}

function taken(vault: BoundVault, facts: JsonFacts) {
  const turns = new Turns(vault);
  return factSource(facts, () => turns.next());
}
