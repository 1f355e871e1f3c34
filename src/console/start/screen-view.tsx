import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { ApiFailure, asFailure } from '../page/api.ts';
import { addressOf, type Place, type Screen } from '../page/place.ts';
import { loadMe, me, meFailure } from '../page/server-state.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { strings } from '../words/strings.ts';
import { screenOf } from './screen-list.ts';

type Loaded = {
  readonly screen: Screen;
  readonly View: FunctionComponent<{ readonly place: never }>;
};

/** Loads the screen of a place and shows it. The heading gets the focus when the screen changes. */
export function ScreenView({ place }: { readonly place: Place }) {
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [notLoaded, setNotLoaded] = useState<Screen | undefined>(undefined);
  const listed = screenOf(place);
  useEffect(() => {
    if (listed === undefined) return undefined;
    const { screen, load } = listed;
    let isWanted = true;
    // The owner may have gone elsewhere, or back, meanwhile.
    void load().then(
      (View) => isWanted && setLoaded({ screen, View }),
      () => isWanted && setNotLoaded(screen),
    );
    return () => {
      isWanted = false;
    };
  }, [listed]);
  const isReady = loaded !== undefined && loaded.screen === place.screen;
  const isFirst = useIsFirst(isReady);
  useEffect(() => {
    // A search box that was asked for has the focus already.
    const hasField = document.querySelector('main input:focus') !== null;
    if (isReady && !isFirst && !hasField) document.querySelector<HTMLElement>('main h1')?.focus();
  }, [isReady, loaded?.screen]);
  if (meFailure.value !== undefined && me.value === undefined) {
    return <Failure failure={meFailure.value} retry={() => void loadMe()} />;
  }
  if (listed === undefined) {
    return (
      <Empty icon="warning" title={strings.notFound} isPage>
        <p>{strings.notFoundMore}</p>
        <a class="btn" href={addressOf({ screen: 'activity', filter: {} })}>
          {strings.screens.activity}
        </a>
      </Empty>
    );
  }
  if (!isReady && notLoaded === place.screen) {
    // The server is away, or has been updated and no longer has this part of the page.
    return <Failure failure={partMissing()} retry={() => location.reload()} />;
  }
  if (!isReady) return <Loading />;
  return <GuardedView key={place.screen} View={loaded.View} place={place} />;
}

function partMissing(): ApiFailure {
  return new ApiFailure({ code: 'no_answer', message: strings.noAnswer, details: {} });
}

/** A screen; when something in it fails, a sentence in its place, and the frame goes on. */
function GuardedView({ View, place }: Pick<Loaded, 'View'> & { readonly place: Place }) {
  const [error, again] = useErrorBoundary();
  const address = addressOf(place);
  useEffect(() => {
    if (error !== undefined) again();
  }, [address]);
  const failure = error === undefined ? undefined : asFailure(error);
  if (failure !== undefined) return <Failure failure={failure} retry={again} />;
  return <View place={place as never} />;
}

/** Whether the page shows its first screen: the focus is then where the browser has put it. */
function useIsFirst(isReady: boolean): boolean {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (isReady) setCount((before) => before + 1);
  }, [isReady]);
  return count === 0;
}
