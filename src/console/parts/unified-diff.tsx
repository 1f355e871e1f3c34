import { consolePageLimits } from '../../base/console-page-limits.ts';
import { activityStrings } from '../words/activity-strings.ts';
import { showInvisible } from './invisible.ts';

/** A unified diff, as the server writes it, in colours. */
export function UnifiedDiff({ text }: { readonly text: string }) {
  const lines = text.split('\n', consolePageLimits.shownLinesMax);
  return (
    <section class="file">
      <ol class="diff unified">
        {lines.map((line) => {
          const { is, shown, said } = readLine(line);
          return (
            <li class={is}>
              <span class="text" dir="auto">
                {said === '' ? undefined : <span class="unseen">{said}</span>}
                {showInvisible(shown.slice(0, consolePageLimits.shownLineCharsMax)).map((part) =>
                  typeof part === 'string' ? part : <span class="invisible">{part.code}</span>,
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function readLine(line: string): { is: string; shown: string; said: string } {
  if (
    /^(diff |index |--- |\+\+\+ |@@|rename |new file|deleted file|similarity |old mode|new mode)/.test(
      line,
    )
  ) {
    return { is: 'head', shown: line, said: '' };
  }
  if (line.startsWith('+')) return { is: 'added', shown: line, said: activityStrings.addedLine };
  if (line.startsWith('-'))
    return { is: 'removed', shown: line, said: activityStrings.removedLine };
  return { is: 'same', shown: line, said: '' };
}
