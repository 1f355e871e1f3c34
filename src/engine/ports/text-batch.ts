import type { Json } from '../../base/json.ts';
import { fromJson, toJson } from '../../base/json.ts';
import type { PackedTexts } from './packed-texts.ts';
import { packedText, TextPacker } from './packed-texts.ts';
import type { TextRecord } from './records.ts';

/** Which file a text is of, and when it was read. */
export type TextHead = Omit<TextRecord, 'body'>;

/** Full text on its way from the scanner to the index. */
export interface TextBatch {
  readonly heads: Json<readonly TextHead[]>;
  /** In the order of the heads. */
  readonly bodies: PackedTexts;
}

/** Packs texts as they come; a batch is what came since the last one. */
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

export function packTexts(records: readonly TextRecord[]): TextBatch {
  const packer = new TextBatchPacker();
  for (const record of records) packer.add(record);
  return packer.take();
}

export function unpackTexts({ heads, bodies }: TextBatch): TextRecord[] {
  return fromJson(heads).map((head, at) => ({ ...head, body: packedText(bodies, at) }));
}
