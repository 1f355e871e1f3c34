import { useEffect } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { go } from '../page/address.ts';
import { onEvent } from '../page/live.ts';
import type { Place } from '../page/place.ts';
import { canUndo, indexState, me, vaultName } from '../page/server-state.ts';
import { Icon } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Failure } from '../parts/states.tsx';
import { TopBar } from '../parts/top-bar.tsx';
import { healthStrings } from '../words/health-strings.ts';
import { strings } from '../words/strings.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { CheckOutcome, endCheck, isChecking, startCheck } from './full-check.tsx';
import { HealthPlots } from './health-plots.tsx';
import { forgetHealth, healthFailure, knownAt, loadHealth, problems } from './health-state.ts';
import { OneList, ShortLists } from './problem-lists.tsx';
import { Tiles } from './tiles.tsx';

type Health = Extract<Place, { screen: 'health' }>;

/** How the vault is: the index, what needs a look, and plots. */
export function HealthScreen({ place }: { readonly place: Health }) {
  const { list, from, conflict, vault } = place;
  const isKnown = me.value !== undefined;
  const stage = indexState.value?.stage;
  const load = (): void => void loadHealth({ list, from });
  // Once the names of all files are known, and again when the links are, and at the end.
  useEffect(() => {
    if (isKnown && stage !== undefined) load();
  }, [isKnown, stage, vault, list, from]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let newest = 0;
    const stop = onEvent('change', (change) => {
      if (change.vault !== vaultName.peek()) return;
      newest = change.at;
      timer ??= setTimeout(() => {
        timer = undefined;
        // The first event tells a change that the answers know.
        if (newest > knownAt()) load();
      }, consolePageLimits.healthRefreshMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [vault, list, from]);
  useEffect(() => {
    return () => {
      endCheck();
      forgetHealth();
    };
  }, [vault]);
  const failure = healthFailure();
  return (
    <>
      <TopBar title={strings.screens.health} more={healthStrings.healthMore}>
        <button
          type="button"
          class="btn"
          disabled={isChecking.value}
          onClick={() => void startCheck()}
        >
          <Icon name="tick" /> {healthStrings.fullCheck}
        </button>
      </TopBar>
      {isKnown && !canUndo.value ? <p class="line-above">{strings.readOnly}</p> : undefined}
      <section class="scroll pad" {...scrolling} aria-label={strings.screens.health}>
        <div class="column health">
          <CheckOutcome />
          {failure === undefined ? undefined : (
            <Failure
              failure={failure}
              retry={() => {
                forgetHealth();
                load();
              }}
            />
          )}
          {list === undefined ? (
            <>
              <Tiles place={place} />
              <HealthPlots />
              <div class="health-two">
                <ShortLists place={place} />
                <GoodToKnow />
              </div>
            </>
          ) : (
            <OneList place={place} list={list} from={from ?? 0} />
          )}
        </div>
      </section>
      {conflict === undefined ? undefined : (
        <ConflictDialog
          key={conflict}
          path={conflict}
          onClose={() => {
            const { conflict: _, ...rest } = place;
            go(rest, 'replace');
          }}
          onMerged={load}
        />
      )}
    </>
  );
}

/** What a changed file cannot keep here, and what is wrong with the vault's settings. */
function GoodToKnow() {
  const known = problems.value.value;
  if (known === undefined) return null;
  return (
    <section>
      <h2>{healthStrings.goodToKnow}</h2>
      {known.settings.map((sentence) => (
        <p key={sentence} class="note-line warn">
          <Icon name="warning" /> <span>{sentence}</span>
        </p>
      ))}
      {known.writing.map((sentence) => (
        <p key={sentence} class="note-line">
          <Icon name="changed" /> <span>{sentence}</span>
        </p>
      ))}
      {known.writing.length > 0 ? undefined : (
        <p class="note-line">
          <Icon name="tick" /> <span>{healthStrings.keepsAll}</span>
        </p>
      )}
    </section>
  );
}
