import { isObject } from '../../base/json.ts';

const longChars = 64 * 1024;

/**
 * A result as JSON. Base64 needs no escapes, and to look for some in megabytes takes longer than to
 * read the file.
 */
export function resultJson(value: unknown): string {
  if (isObject(value)) {
    const { contentBase64, ...others } = value;
    if (typeof contentBase64 === 'string' && contentBase64.length > longChars) {
      const rest = JSON.stringify(others).slice(1);
      return `{"contentBase64":"${contentBase64}"${rest === '}' ? '' : ','}${rest}`;
    }
  }
  return JSON.stringify(value) ?? 'null';
}
