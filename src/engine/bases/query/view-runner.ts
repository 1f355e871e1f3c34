import type { Json } from '../../../base/json.ts';
import type { FileFacts } from '../../ports/records.ts';
import type { FactSource } from './fact-source.ts';
import type { PackedView } from './packed-view.ts';
import type { ViewResult } from './run-view.ts';

/** A `FactSource` that answers facts as JSON, as the index gives them: another thread parses them. */
export interface JsonFacts {
  files(request: Parameters<FactSource['files']>[0]): Promise<Json<readonly FileFacts[]>>;
  load(...args: Parameters<FactSource['load']>): Promise<Json<readonly FileFacts[]>>;
  named: FactSource['named'];
}

/**
 * Evaluates views elsewhere, so that a base never holds up other calls. Ends the evaluation when the
 * signal is aborted, whatever it is doing, and then fails with the reason.
 */
export interface ViewRunner {
  run(view: PackedView, facts: JsonFacts, signal: AbortSignal): Promise<ViewResult>;
  close(): Promise<void>;
}
