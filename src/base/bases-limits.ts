/**
 * The limits of bases, of queries over notes and of searches in their texts. A base is hostile input:
 * anyone may have written it.
 */
export const basesLimits = {
  /** The text of one expression. */
  baseExpressionCharsMax: 20_000,
  /** How deep brackets and operators of one expression may nest. */
  baseNestingMax: 100,
  /** How deep the `and`, `or` and `not` of a filter may nest. */
  baseFilterDepthMax: 50,
  /** How deep the YAML of a base may nest: deep enough to say where a filter nests too deep. */
  baseYamlNestingMax: 250,
  /** How deep an evaluation may go, through formulas that use formulas. */
  baseDepthMax: 1_000,
  /** How many steps one row may take for its filters, for its sort keys, or for its cells. */
  baseStepsMax: 200_000,
  /** How long a list and a text may become. */
  baseListMax: 100_000,
  baseTextCharsMax: 1_000_000,
  /** How many files a query asks the index for at a time. */
  baseBatchFiles: 2_000,
  /** How many different errors of one base are reported. */
  baseErrorsMax: 50,
  /** How often facts that turn out to be needed are loaded for the same rows. */
  baseRoundsMax: 1_000,
  /** How long a search may read the texts of notes, where the index alone cannot decide. */
  textMatchMs: 4_000,
  /** How many candidates such a search asks the index for at a time. */
  textMatchPage: 5_000,
  /** How many such searches run in parallel, each in a thread of its own; others wait. */
  textMatchesMax: 2,
  /** How often such a thread reports the results that it has so far. */
  textMatchTurnMs: 20,
  /** How long such a thread is kept when no search needs it. */
  textMatchIdleMs: 30_000,
};
