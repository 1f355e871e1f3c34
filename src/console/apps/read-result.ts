import { isObject } from '../../base/json.ts';

/** The result of a call as a view uses it. */
export interface ReadResult {
  readonly isFailure: boolean;
  /** The text that the model gets. */
  readonly text: string;
  /** The answer as an object; undefined where it is only text. */
  readonly value?: Answer;
}

/** An answer of a tool, before it is known which. */
export type Answer = Readonly<Record<string, unknown>>;

/**
 * Reads the result of a call. Tools answer with JSON on the first line of the text: nothing is sent
 * to a view that the model does not get.
 */
export function readResult(result: unknown): ReadResult {
  const { content, structuredContent, isError } = isObject(result) ? result : {};
  const items = Array.isArray(content) ? content.filter(isObject) : [];
  const found = items.find(({ type }) => type === 'text')?.['text'];
  const text = typeof found === 'string' ? found : '';
  const isFailure = isError === true;
  const value = isFailure
    ? undefined
    : isObject(structuredContent)
      ? structuredContent
      : jsonOf(text);
  return { isFailure, text, ...(value === undefined ? {} : { value }) };
}

function jsonOf(text: string): Answer | undefined {
  if (!text.startsWith('{')) return undefined;
  const end = text.indexOf('\n');
  try {
    const value: unknown = JSON.parse(end === -1 ? text : text.slice(0, end));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text in a field of an answer; undefined where there is none. */
export function textIn(answer: Answer, field: string): string | undefined {
  const value = answer[field];
  return typeof value === 'string' ? value : undefined;
}

/** The number in a field of an answer; undefined where there is none. */
export function numberIn(answer: Answer, field: string): number | undefined {
  const value = answer[field];
  return typeof value === 'number' ? value : undefined;
}

/** The objects in a list of an answer. */
export function objectsIn(answer: Answer, field: string): readonly Answer[] {
  const value = answer[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts in a list of an answer. */
export function textsIn(answer: Answer, field: string): readonly string[] {
  const value = answer[field];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
