import { signal } from '@preact/signals';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { type ApiFailure, asFailure, post } from '../page/api.ts';
import { onEvent } from '../page/live.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure } from '../parts/states.tsx';
import { healthStrings } from '../words/health-strings.ts';
import { strings } from '../words/strings.ts';

/** The check that runs, or what came of it. */
type Check =
  | { readonly is: 'running'; readonly done: number; readonly total?: number }
  | { readonly is: 'done'; readonly answer: ConsoleAnswer<'check'> }
  | { readonly is: 'failed'; readonly failure: ApiFailure }
  | { readonly is: 'cancelled' };

const check = signal<Check | undefined>(undefined);
export const isChecking = signal(false);
let running: AbortController | undefined;

/** Compares the index with one that the server builds anew. */
export async function startCheck(): Promise<void> {
  if (isChecking.peek()) return;
  const own = new AbortController();
  running = own;
  isChecking.value = true;
  check.value = { is: 'running', done: 0 };
  const stop = onEvent('check', (progress) => {
    if (running === own) check.value = { is: 'running', ...progress };
  });
  try {
    const answer = await post<ConsoleAnswer<'check'>>('/check', {}, own.signal);
    if (running === own) check.value = { is: 'done', answer };
  } catch (error) {
    if (running === own && !own.signal.aborted) {
      const failure = asFailure(error);
      check.value = failure === undefined ? undefined : { is: 'failed', failure };
    }
  } finally {
    stop();
    if (running === own) isChecking.value = false;
  }
}

/** Ends the check that runs, and forgets what came of earlier ones. */
export function endCheck(): void {
  running?.abort();
  running = undefined;
  isChecking.value = false;
  check.value = undefined;
}

/** How far the check is, and then its answer in words. */
export function CheckOutcome() {
  const now = check.value;
  return (
    <div role="status" class="check">
      {now === undefined ? undefined : <Outcome now={now} />}
    </div>
  );
}

function Outcome({ now }: { readonly now: Check }) {
  switch (now.is) {
    case 'running': {
      const { done, total } = now;
      return (
        <div class="note-line">
          <Icon name="health" />
          <div class="grow">
            <p>
              {done === 0 && total === undefined
                ? healthStrings.checkBegins
                : healthStrings.checking(done, total)}
            </p>
            <progress
              aria-label={healthStrings.fullCheck}
              {...(total === undefined ? {} : { max: total, value: done })}
            />
            <p class="faint">{healthStrings.checkMore}</p>
          </div>
          <button
            type="button"
            class="btn small"
            onClick={() => {
              endCheck();
              check.value = { is: 'cancelled' };
            }}
          >
            {strings.cancel}
          </button>
        </div>
      );
    }
    case 'failed':
      return <Failure failure={now.failure} retry={() => void startCheck()} />;
    case 'cancelled':
      return <p class="note-line">{healthStrings.checkCancelled}</p>;
    case 'done':
      return <Answer answer={now.answer} />;
  }
}

function Answer({ answer }: { readonly answer: ConsoleAnswer<'check'> }) {
  const { files, differences, index, recovered, unrecovered } = answer;
  return (
    <>
      <div class={differences === 0 ? 'note-line good' : 'note-line bad'}>
        <Icon name={differences === 0 ? 'tick' : 'warning'} />
        <div class="grow">
          <p>
            {differences === 0
              ? healthStrings.checkFine(files)
              : healthStrings.checkDiffers(differences)}
          </p>
          {index.length === 0 ? undefined : (
            <details>
              <summary>{healthStrings.checkLines(index.length)}</summary>
              <ul class="check-lines">
                {index.map(({ in: side, line }) => (
                  <li key={`${side} ${line}`}>
                    <code>
                      {side}: {line}
                    </code>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
        <button type="button" class="btn small quiet" onClick={endCheck}>
          {strings.close}
        </button>
      </div>
      {recovered.length === 0 ? undefined : (
        <p class="note-line">{healthStrings.checkRecovered(recovered.length)}</p>
      )}
      {unrecovered.map((sentence) => (
        <p key={sentence} class="note-line warn">
          {sentence}
        </p>
      ))}
    </>
  );
}
