import { type ComponentChildren, type FunctionComponent, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { Loading } from '../parts/states.tsx';
import { appStrings } from '../words/app-strings.ts';
import { connectHost, type Host, type HostContext, type Wire } from './host.ts';
import { type ReadResult, readResult } from './read-result.ts';

/** The version of the program, which the build puts in. */
declare const VAULTDOOR_VERSION: string;

/** What a view shows: the result of a call, and how to make further calls. */
export interface ViewProps {
  readonly result: ReadResult;
  /** The arguments of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly host: Host;
}

/** Draws a view in the page, with what the host sends. */
export function startView(name: string, View: FunctionComponent<ViewProps>): void {
  const place = document.getElementById('app');
  if (place !== null) render(<Shown name={name} View={View} />, place);
}

interface Told {
  readonly input?: ViewProps['input'];
  readonly result?: ReadResult;
  readonly isCancelled?: true;
}

function Shown({
  name,
  View,
}: {
  readonly name: string;
  readonly View: FunctionComponent<ViewProps>;
}) {
  const [told, setTold] = useState<Told>({});
  const [host, setHost] = useState<Host | undefined>(undefined);
  useEffect(() => {
    const tell = (more: Told): void => setTold((before) => ({ ...before, ...more }));
    const view = { name, version: VAULTDOOR_VERSION, callMs: consolePageLimits.viewCallMs };
    const connected = connectHost(parentWire(), view, {
      onContext: (context) => {
        applyContext(context);
        setHost(connected);
      },
      onInput: (input) => tell({ input }),
      onResult: (result) => tell({ result: readResult(result) }),
      onCancelled: () => tell({ isCancelled: true }),
    });
    return watchSize(connected);
  }, [name]);
  const { input = {}, result, isCancelled } = told;
  if (result !== undefined && host !== undefined) {
    return (
      <main class="app">
        {result.isFailure ? (
          <>
            <h1>{appStrings.failed}</h1>
            <p class="app-note" role="alert">
              {result.text}
            </p>
          </>
        ) : (
          <View result={result} input={input} host={host} />
        )}
      </main>
    );
  }
  return (
    <main class="app">
      <h1>{isCancelled ? appStrings.cancelled : appStrings.waiting}</h1>
      {isCancelled ? undefined : <Loading lines={3} />}
    </main>
  );
}

/** A failure, in the words of the server or of the host. */
export function Failed({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="app-note" role="alert">
      <b>{appStrings.failed}.</b> {children}
    </p>
  );
}

/** Messages to and from the window that shows this one. Others are not listened to. */
function parentWire(): Wire {
  return {
    send: (message) => window.parent.postMessage(message, '*'),
    listen: (onMessage) =>
      window.addEventListener('message', ({ source, data }) => {
        if (source === window.parent) onMessage(data);
      }),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Tells the host the size of the page now and whenever it changes; the returned function ends that. */
function watchSize(host: Host): () => void {
  const page = document.documentElement;
  const observer = new ResizeObserver(() =>
    host.sendSize({
      width: Math.ceil(window.innerWidth),
      height: Math.ceil(page.getBoundingClientRect().height),
    }),
  );
  observer.observe(page);
  return () => observer.disconnect();
}

/** Takes the colours and fonts that the host asks for. */
function applyContext({ theme, sans }: HostContext): void {
  const { style } = document.documentElement;
  if (sans !== undefined) style.setProperty('--sans', sans);
  if (theme === undefined) return;
  style.colorScheme = theme;
  // The style sheet follows the browser's setting; here the host decides.
  for (const rule of darkRules) rule.media.mediaText = theme === 'dark' ? 'all' : 'not all';
}

const darkRules = Array.from(document.styleSheets, ({ cssRules }) => Array.from(cssRules))
  .flat()
  .filter((rule) => rule instanceof CSSMediaRule)
  .filter(({ media }) => media.mediaText.includes('prefers-color-scheme'));
