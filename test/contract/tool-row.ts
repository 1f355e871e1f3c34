type Arguments = Readonly<Record<string, unknown>>;

/**
 * What the tests of all tools need to know of one tool. A new tool gets one row in the table of its
 * toolset (`notes-calls.ts`, `obsidian-calls.ts`, `agent-calls.ts`): every test that goes through
 * all tools takes its calls and expectations from there.
 */
export interface ToolRow {
  readonly tool: string;
  /** What it may do to the vault: said here once more, because read-only callers rely on it. */
  readonly effect: 'read' | 'write' | 'destroy';
  /** Whether the seed asks for it, with this name; left out for tools that we have added. */
  readonly isOfSeed?: true;
  /** Calls on `examples/vault`, after those of the rows before, and a part of what each answers. */
  readonly calls: readonly (readonly [Arguments, string])[];
  /** A call that fails there, and its JSON-RPC code where the toolset answers with those. */
  readonly fails?: readonly [Arguments, number];
  /** It answers with numbers alone, or needs the app or another program: it names no note. */
  readonly namesNoNote?: true;
  /** Its text is not the JSON of its value: the text of a note, or a part of the value. */
  readonly isShownOtherwise?: true;
}
