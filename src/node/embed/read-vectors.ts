import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';

/** Checks what a model has answered. Fails with `unavailable` and what is wrong. */
export function readVectors(answer: unknown, count: number): readonly Float32Array[] {
  if (!Array.isArray(answer)) throw wrong('has no vectors');
  if (answer.length !== count) throw wrong(`has ${answer.length} vectors for ${count} texts`);
  const length = (answer[0] as readonly unknown[] | undefined)?.length ?? 0;
  return answer.map((row: unknown) => {
    if (!Array.isArray(row) || row.length !== length) throw wrong('has vectors of several lengths');
    if (length === 0 || length > limits.embedLengthMax)
      throw wrong(`has vectors of ${length} numbers`);
    const vector = Float32Array.from(row as number[]);
    const isNumbers =
      row.every((value) => typeof value === 'number') && vector.every(Number.isFinite);
    if (!isNumbers) throw wrong('has something else than numbers');
    if (vector.every((value) => value === 0)) throw wrong('has a vector of zeros');
    return vector;
  });
}

function wrong(what: string): VaultError {
  return new VaultError('unavailable', `The answer of the embedding model ${what}.`);
}
