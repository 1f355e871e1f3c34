/** The doors that cases run through. */
export type DoorName =
  | 'service'
  | 'mcp-stdio 2025-11-25'
  | 'mcp-stdio 2026-07-28'
  | 'mcp-attach'
  | 'mcp-http 2025-11-25'
  | 'mcp-http 2026-07-28'
  | 'stdio-bridge 2025-11-25'
  | 'stdio-bridge 2026-07-28';

/** What a vault is opened with, whichever door spells it how. */
export interface DoorOptions {
  /** Which tools are served; `notes` unless said otherwise. */
  readonly toolset?: 'notes' | 'agent';
  readonly tagPolicy?: 'off' | 'warn' | 'enforce' | 'strict';
  readonly historyTools?: boolean;
  readonly hide?: readonly string[];
  readonly readOnly?: boolean;
  /** After how many idle minutes auto-context comes again; 0 is never. */
  readonly contextEveryMinutes?: number;
  /** Where auto-context stands; `glued` unless said otherwise. */
  readonly contextPlace?: 'glued' | 'item' | 'off';
  /** Whether tags in texts make notes part of auto-context. */
  readonly contextBodyTags?: boolean;
  /** The person behind the client, when it can ask: what they answer. */
  readonly person?: 'agrees' | 'declines';
}

/** How a call ended, as a model sees it. */
export interface Answer {
  readonly failed: boolean;
  /** All of its text. */
  readonly text: string;
  /** In how many pieces it came. */
  readonly pieces: number;
  /** The result as an object; the notes toolset has none. */
  readonly structured?: unknown;
}

export interface ToolListing {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One connection to a vault. Nothing of a protocol shows here. */
export interface Connection {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer>;
  list(): Promise<readonly ToolListing[]>;
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<string>;
  /** The base rules as the client is given them. */
  instructions(): Promise<string>;
  /** Says that a person has edited files, to those who have nobody to tell them. */
  edited?(): Promise<void>;
  close(): Promise<void>;
}

/** An open vault, which may have several connections at once. */
export interface OpenVault {
  connect(): Promise<Connection>;
  close(): Promise<void>;
}

export interface ContractDoor {
  readonly name: DoorName;
  open(folder: string, options: DoorOptions): Promise<OpenVault>;
}

/** What an answer must be. Auto-context is taken off the text before anything else is looked at. */
export interface Expected {
  /** A failure that the model is told; a success when absent. */
  readonly fails?: true;
  /** The whole text. */
  readonly text?: string;
  /** What the text must contain, each of it. */
  readonly says?: readonly (string | RegExp)[];
  /** What the text must not contain. */
  readonly lacks?: readonly (string | RegExp)[];
  /** The text is JSON with at least this. */
  readonly json?: object;
  /** The text is exactly this as JSON. */
  readonly jsonIs?: unknown;
  /** The structured result is exactly this, and the text says the same as JSON. */
  readonly structuredIs?: object;
  /** Auto-context: absent, or with all of this. */
  readonly context?: false | readonly (string | RegExp)[];
  /** What auto-context must not contain. */
  readonly contextLacks?: readonly (string | RegExp)[];
  /** Files of the vault after it: their text, a pattern of it, or undefined when there is none. */
  readonly files?: Readonly<Record<string, string | RegExp | undefined>>;
}

export type Arguments = Readonly<Record<string, unknown>>;

export type Step = {
  /** Which connection; there is one called `first` unless a case names others. */
  readonly on?: string;
} & (
  | {
      readonly call: string;
      /** May depend on what earlier calls of this case have answered. */
      readonly args?: Arguments | ((answers: readonly Answer[]) => Arguments);
      /** The index follows a person's edit a moment later: asked again until it holds. */
      readonly eventually?: true;
      readonly expect: Expected;
    }
  | { readonly edit: Readonly<Record<string, string>> }
  | {
      readonly prompt: string;
      readonly args?: Readonly<Record<string, string>>;
      readonly eventually?: true;
      readonly expect: Expected;
    }
  | { readonly instructions: true; readonly expect: Expected }
  | {
      readonly list: true;
      readonly expect: {
        readonly has?: readonly string[];
        readonly hasNot?: readonly string[];
        readonly names?: readonly string[];
      };
    }
);

/** One requirement, with where it comes from. */
export interface ContractCase {
  readonly id: string;
  /** The seed, or the issue that settles it, and its words. */
  readonly source: string;
  readonly given: Readonly<Record<string, string>>;
  readonly options?: DoorOptions;
  /** Doors it cannot run through, each with the reason. */
  readonly without?: Partial<Readonly<Record<DoorName, string>>>;
  readonly steps: readonly Step[];
}
