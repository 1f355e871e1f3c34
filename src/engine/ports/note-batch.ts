import type { Json } from '../../base/json.ts';
import { fromJson, toJson } from '../../base/json.ts';
import type { PackedTexts } from './packed-texts.ts';
import { packedText, TextPacker } from './packed-texts.ts';
import type { NoteRecord } from './records.ts';

/** What the index looks into when it stores a note: everything but the detail. */
export type NoteHead = Omit<NoteRecord, 'detail'>;

/**
 * Records of notes on their way from the scanner to the index, each as two texts of JSON: the
 * index stores details unread.
 */
export interface NoteBatch {
  readonly heads: PackedTexts;
  /** In the order of the heads. */
  readonly details: PackedTexts;
}

/**
 * Packs records as they come; a batch is what came since the last one. A record is packed at
 * once and not kept: the paths in it are pieces of the note's text, and would keep all of it in
 * memory until the batch is full.
 */
export class NotePacker {
  readonly #heads = new TextPacker();
  readonly #details = new TextPacker();

  add(record: NoteRecord): void {
    // Field by field: taking one out of a copy of all costs as much as writing the JSON.
    const { path, stat, racy, linked, linkedCounts, tags, aliases, properties, problems } = record;
    const head = { path, stat, linked, linkedCounts, tags, aliases, properties, problems };
    this.#heads.add(toJson<NoteHead>(racy ? { ...head, racy } : head));
    this.#details.add(record.detail);
  }

  take(): NoteBatch {
    return { heads: this.#heads.take(), details: this.#details.take() };
  }
}

export function packNotes(records: readonly NoteRecord[]): NoteBatch {
  const packer = new NotePacker();
  for (const record of records) packer.add(record);
  return packer.take();
}

/** The head of one note of a batch. */
export function noteHead({ heads }: NoteBatch, at: number): NoteHead {
  return fromJson(packedText(heads, at) as Json<NoteHead>);
}

export function unpackNotes(batch: NoteBatch): NoteRecord[] {
  return batch.details.ends.map((_, at) => ({
    ...noteHead(batch, at),
    detail: packedText(batch.details, at) as NoteRecord['detail'],
  }));
}
