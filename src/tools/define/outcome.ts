import type { VaultError } from '../../base/vault-error.ts';

/** A text in an answer, as MCP and Bridge v1 carry it. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  /** Values for programs, which models need not read: the path and the version of a note. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A picture or a sound in an answer, as MCP carries it; `data` is base64. */
export interface MediaContent {
  readonly type: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/**
 * A piece that is not text, passed on unchanged. Only a service that stands for another server
 * answers with others than `MediaContent`.
 */
interface OtherContent {
  readonly type: 'image' | 'audio' | 'resource' | 'resource_link';
  readonly [field: string]: unknown;
}

/** A piece of an answer. */
export type Content = TextContent | MediaContent | OtherContent;

/** The texts of an answer, in order. */
export function textsOf(content: readonly Content[]): readonly string[] {
  return content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
}

/** How a call ended. Calls never reject: a failure is an outcome like any other. */
export type Outcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly content: readonly Content[];
      /** The value as an object, where the tool's toolset is structured. */
      readonly structured?: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly error: VaultError; readonly content: readonly Content[] };
