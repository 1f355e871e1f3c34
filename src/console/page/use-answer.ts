import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, asFailure, get } from './api.ts';
import { news } from './vault-news.ts';

/** What the server answered to a question; neither answer nor failure until it has. */
interface Asked<Answer> {
  readonly answer?: Answer;
  readonly failure?: ApiFailure;
  readonly again: () => void;
}

/**
 * Asks the server when a part is shown, and again whenever something in the vault has changed. Until
 * the newer answer is there, the one before stays. No path asks for nothing. Without `follows` it asks
 * only once. `ask` asks in another way than by a GET.
 */
export function useAnswer<Answer extends object>(
  path: string | undefined,
  query: Readonly<Record<string, string | number | undefined>>,
  {
    follows = true,
    ask = get,
  }: { readonly follows?: boolean; readonly ask?: typeof get<Answer> } = {},
): Asked<Answer> {
  const key = JSON.stringify([path, query]);
  const [got, setGot] = useState<{ key: string; answer?: Answer; failure?: ApiFailure }>({ key });
  const [tries, setTries] = useState(0);
  const count = follows ? news.value : 0;
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    ask(path, query, stop.signal).then(
      (answer) => setGot({ key, answer }),
      (error: unknown) => {
        const failure = stop.signal.aborted ? undefined : asFailure(error);
        if (failure === undefined) return;
        // What was there stays while the server is away; the line above the page says that it is.
        setGot((before) =>
          failure.code === 'no_answer' && before.key === key && before.answer !== undefined
            ? before
            : { key, failure },
        );
      },
    );
    return () => stop.abort();
  }, [key, count, tries]);
  const { answer, failure } = got.key === key ? got : { answer: undefined, failure: undefined };
  return {
    ...(answer === undefined ? {} : { answer }),
    ...(failure === undefined ? {} : { failure }),
    again: () => setTries(tries + 1),
  };
}
