import type { FactConditions, FactPart, FileFacts } from '../../ports/records.ts';

/** Where a query gets its facts from. */
export interface FactSource {
  /**
   * Files that meet the conditions, in path order, at most `limit` of those after a path, with these
   * parts of their facts.
   */
  files(request: {
    readonly conditions: FactConditions;
    readonly parts: readonly FactPart[];
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly FileFacts[]>;
  /** Those of these files that exist, with these parts of their facts. */
  load(paths: readonly string[], parts: readonly FactPart[]): Promise<readonly FileFacts[]>;
  /** The files that have each of these folded names. */
  named(
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly { readonly path: string }[]>>;
  /** Called often: lets others run, and fails when the call is over. */
  turn(): Promise<void>;
}
