import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ApiFailure, asFailure } from '../page/api.ts';
import { Failure, Loading } from '../parts/states.tsx';

/** A component whose script is loaded when it is first shown. */
export function lazily<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setIsLoaded] = useState(loaded !== undefined);
    const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      setFailure(undefined);
      load().then(
        (component) => {
          loaded = component;
          setIsLoaded(true);
        },
        (error: unknown) => setFailure(asFailure(error)),
      );
    }, [tries]);
    if (loaded !== undefined) return h(loaded, props);
    if (failure === undefined) return <Loading />;
    return <Failure failure={failure} retry={() => setTries(tries + 1)} />;
  };
}
