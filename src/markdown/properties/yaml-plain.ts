import type { PropertyValue } from '../facts/facts.ts';

const integer = /^[-+]?[0-9]+$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const infinite = /^[-+]?\.(?:inf|Inf|INF)$/;

/**
 * The value of a plain (unquoted) scalar in the core schema of YAML 1.2: `yes` is a string, `017`
 * is 17, `0o17` is 15, a date is a string.
 */
export function plainValue(source: string): PropertyValue {
  // Nearly every scalar is a word, which its first character shows.
  switch (source.charCodeAt(0)) {
    case 0x74 /* t */:
    case 0x54 /* T */:
      return source === 'true' || source === 'True' || source === 'TRUE' ? true : source;
    case 0x66 /* f */:
    case 0x46 /* F */:
      return source === 'false' || source === 'False' || source === 'FALSE' ? false : source;
    case 0x6e /* n */:
    case 0x4e /* N */:
      return source === 'null' || source === 'Null' || source === 'NULL' ? null : source;
    case 0x7e /* ~ */:
      return source === '~' ? null : source;
    case 0x2b /* + */:
    case 0x2d /* - */:
    case 0x2e /* . */:
      return numberOf(source);
    default:
      return source >= '0' && source < ':' ? numberOf(source) : source === '' ? null : source;
  }
}

function numberOf(source: string): number | string {
  if (integer.test(source)) return Number.parseInt(source, 10);
  if (float.test(source)) return Number.parseFloat(source);
  if (/^0o[0-7]+$/.test(source)) return Number.parseInt(source.slice(2), 8);
  if (/^0x[0-9a-fA-F]+$/.test(source)) return Number.parseInt(source.slice(2), 16);
  if (source === '.nan' || source === '.NaN' || source === '.NAN') return Number.NaN;
  if (infinite.test(source)) return source.startsWith('-') ? -Infinity : Infinity;
  return source;
}
