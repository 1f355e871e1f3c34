import { groupedNumber } from '../../base/grouped-number.ts';

/** A number as people write it: "5,000". */
export const numberText = groupedNumber;

/** A number with its noun: "1 change", "5,000 changes". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${groupedNumber(number)} ${number === 1 ? one : many}`;
}
