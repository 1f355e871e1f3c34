/** How an answer may come: as a stream of events, as JSON, or whichever the door prefers. */
export type AnswerForm = 'stream' | 'json' | 'either';

/** The forms that a client accepts; undefined when it takes neither. Saying nothing accepts all. */
export function acceptedForm(accept: string | null): AnswerForm | undefined {
  const ranges = (accept ?? '').split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(';');
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter));
    return type.trim() === '' || isRefused ? [] : [type.trim()];
  });
  if ((accept ?? '').trim() === '') return 'either';
  const takes = (...types: readonly string[]): boolean =>
    ranges.some((range) => types.includes(range));
  const stream = takes('text/event-stream', 'text/*', '*/*');
  const json = takes('application/json', 'application/*', '*/*');
  if (stream && json) return 'either';
  if (stream) return 'stream';
  return json ? 'json' : undefined;
}
