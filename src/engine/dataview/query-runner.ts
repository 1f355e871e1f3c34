import { fromJson, type Json } from '../../base/json.ts';
import type { FactSource } from '../bases/query/fact-source.ts';
import type { PackedView } from '../bases/query/packed-view.ts';
import type { ViewResult } from '../bases/query/run-view.ts';
import type { FileFacts } from '../ports/records.ts';
import type { DataviewRequest, DataviewResult } from './run-dataview.ts';

/** A `FactSource` that answers facts as JSON, as the index gives them: another thread parses them. */
export interface JsonFacts {
  files(request: Parameters<FactSource['files']>[0]): Promise<Json<readonly FileFacts[]>>;
  load(...args: Parameters<FactSource['load']>): Promise<Json<readonly FileFacts[]>>;
  named: FactSource['named'];
}

/** Facts as queries take them. */
export function factSource(facts: JsonFacts, turn: FactSource['turn']): FactSource {
  return {
    files: async (request) => fromJson(await facts.files(request)),
    load: async (paths, parts) => fromJson(await facts.load(paths, parts)),
    named: (names) => facts.named(names),
    turn,
  };
}

/** What can be evaluated, and what comes of it: a view of a base, or a query of Dataview. */
export interface Queries {
  readonly view: { readonly request: PackedView; readonly result: ViewResult };
  readonly dataview: { readonly request: DataviewRequest; readonly result: DataviewResult };
}

/** One of them. */
export type Query = {
  [Kind in keyof Queries]: { readonly kind: Kind; readonly request: Queries[Kind]['request'] };
}[keyof Queries];

/**
 * Evaluates queries elsewhere, so that none holds up other calls. Ends the evaluation when the signal
 * is aborted, whatever it is doing, and then fails with the reason.
 */
export interface QueryRunner {
  run<Kind extends keyof Queries>(
    query: Query & { readonly kind: Kind },
    facts: JsonFacts,
    signal: AbortSignal,
  ): Promise<Queries[Kind]['result']>;
  close(): Promise<void>;
}
