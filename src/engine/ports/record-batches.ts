import type { Json } from '../../base/json.ts';
import { fromJson, toJson } from '../../base/json.ts';
import type { PackedTexts } from './packed-texts.ts';
import { packedText, TextPacker } from './packed-texts.ts';
import type { NoteRecord, TextRecord } from './records.ts';

/**
 * The part of a note's record that the index reads when it stores it: everything but the detail.
 */
export type NoteHead = Omit<NoteRecord, 'detail'>;

/**
 * Records of notes on their way from the scanner to the index, each as two JSON texts. The index
 * stores the details without reading them.
 */
export interface NoteBatch {
  readonly heads: PackedTexts;
  /** In the order of the heads. */
  readonly details: PackedTexts;
}

/**
 * Packs records of notes one by one; `take` answers those since the last batch. A record is packed
 * when it is added and then let go: its paths are pieces of the note's text, so keeping the record
 * would keep the whole text in memory until the batch is full.
 */
export class NoteBatchPacker {
  readonly #heads = new TextPacker();
  readonly #details = new TextPacker();

  add(record: NoteRecord): void {
    // Field by field: `const { detail, ...head }` costs as much time as writing the JSON.
    const { path, stat, racy, linked, linkedCounts, tags, aliases, properties, problems } = record;
    const head = { path, stat, linked, linkedCounts, tags, aliases, properties, problems };
    const { bases } = record;
    const withBases = bases === undefined ? head : { ...head, bases };
    this.#heads.add(toJson<NoteHead>(racy ? { ...withBases, racy } : withBases));
    this.#details.add(record.detail);
  }

  take(): NoteBatch {
    return { heads: this.#heads.take(), details: this.#details.take() };
  }
}

/** The head of the note at a place in a batch. */
export function noteHead({ heads }: NoteBatch, at: number): NoteHead {
  return fromJson(packedText(heads, at) as Json<NoteHead>);
}

/** Which file a text is of, and the stamp of the file when it was read. */
type TextHead = Omit<TextRecord, 'body'>;

/** Full texts on their way from the scanner to the index. */
export interface TextBatch {
  readonly heads: Json<readonly TextHead[]>;
  /** In the order of the heads. */
  readonly bodies: PackedTexts;
}

/** Packs full texts one by one; `take` answers those since the last batch. */
export class TextBatchPacker {
  readonly #bodies = new TextPacker();
  #heads: TextHead[] = [];

  add({ path, stamp, body }: TextRecord): void {
    this.#heads.push({ path, stamp });
    this.#bodies.add(body);
  }

  take(): TextBatch {
    const batch = { heads: toJson(this.#heads), bodies: this.#bodies.take() };
    this.#heads = [];
    return batch;
  }
}
