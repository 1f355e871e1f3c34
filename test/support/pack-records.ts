import { fromJson } from '../../src/base/json.ts';
import { packedText } from '../../src/engine/ports/packed-texts.ts';
import type { NoteBatch, TextBatch } from '../../src/engine/ports/record-batches.ts';
import {
  NoteBatchPacker,
  noteHead,
  TextBatchPacker,
} from '../../src/engine/ports/record-batches.ts';
import type { NoteRecord, TextRecord } from '../../src/engine/ports/records.ts';

/** Records of notes as the scanner sends them to the index. */
export function packNotes(records: readonly NoteRecord[]): NoteBatch {
  const packer = new NoteBatchPacker();
  for (const record of records) packer.add(record);
  return packer.take();
}

/** The records that the scanner put into a batch. */
export function unpackNotes(batch: NoteBatch): NoteRecord[] {
  return batch.details.ends.map((_, at) => ({
    ...noteHead(batch, at),
    detail: packedText(batch.details, at) as NoteRecord['detail'],
  }));
}

/** Full texts as the scanner sends them to the index. */
export function packTexts(records: readonly TextRecord[]): TextBatch {
  const packer = new TextBatchPacker();
  for (const record of records) packer.add(record);
  return packer.take();
}

/** The full texts that the scanner put into a batch. */
export function unpackTexts({ heads, bodies }: TextBatch): TextRecord[] {
  return fromJson(heads).map((head, at) => ({ ...head, body: packedText(bodies, at) }));
}
