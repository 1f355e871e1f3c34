/** The limits of bases and queries over notes. A base is hostile input: anyone may have written it. */
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
};
