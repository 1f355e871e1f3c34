import { useEffect, useRef, useState } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { post } from '../page/api.ts';
import { useAnswer } from '../page/use-answer.ts';
import { fewAtOnce } from './few-at-once.ts';

type Answer = ConsoleAnswer<'base'>;
type Asked = ReturnType<typeof useAnswer<Answer>>;
export type BaseFailure = NonNullable<Asked['failure']>;

/** Evaluating a base may take long, so that a page with many of them asks for a few at a time. */
const inTurn = fewAtOnce(consoleNoteLimits.basesAtOnce);

function askInTurn(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return inTurn(() => post<Answer>(path, query, signal), signal);
}

/**
 * Asks for a view of a base as long as it is in sight, and again whenever something in the vault has
 * changed. Until a newer answer is there, the one before stays, also when another view is chosen.
 */
export function useBase(
  asked: Readonly<Record<string, string | number | undefined>>,
  isInSight: boolean,
): Asked & { readonly isWaiting: boolean } {
  const got = useAnswer<Answer>(isInSight ? '/base' : undefined, asked, { ask: askInTurn });
  const last = useRef<Answer>(undefined);
  if (got.answer !== undefined) last.current = got.answer;
  const isWaiting = isInSight && got.answer === undefined && got.failure === undefined;
  const shown = got.failure === undefined && last.current !== undefined;
  return { ...got, ...(shown ? { answer: last.current as Answer } : {}), isWaiting };
}

/** Whether an element is in sight, or almost. */
export function useInSight(element: { readonly current: HTMLElement | null }): boolean {
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return isInSight;
}
