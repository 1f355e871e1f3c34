/**
 * How long the list of the notes toolset may be. Models pay for it in every conversation, so these
 * numbers are raised only by a decision about the toolset as a whole, never for one more tool.
 */
export const notesListMax = {
  tools: 26,
  /** The list as a client gets it. */
  bytes: 13_000,
  /** The same with the envelope of the protocol. */
  wireBytes: 13_200,
};
