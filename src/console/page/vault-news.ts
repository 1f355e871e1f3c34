import { signal } from '@preact/signals';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { onEvent } from './live.ts';
import { vaultName } from './server-state.ts';

/** Grows when something in the vault may have changed; what is shown is then asked for anew. */
export const news = signal(0);

/** Follows the server's events, and the owner's return to this page, until the result is called. */
export function followNews(): () => void {
  let lastMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known: number | undefined;
  const tell = (): void => {
    timer = undefined;
    lastMs = performance.now();
    news.value++;
  };
  const bump = (): void => {
    const waitMs = lastMs + consolePageLimits.followMs - performance.now();
    timer ??= setTimeout(tell, Math.max(0, waitMs));
  };
  const newer = ({ vault, at }: { vault: string; at: number }): void => {
    if (vault !== vaultName.peek() || at === known) return;
    known = at;
    bump();
  };
  const isBack = (): void => {
    if (document.visibilityState === 'visible') bump();
  };
  const stops = [
    onEvent('change', newer),
    onEvent('hello', ({ vaults }) => vaults.forEach(newer)),
    onEvent('files', ({ vault }) => {
      if (vault === vaultName.peek()) bump();
    }),
    onEvent('index', ({ vault, stage }) => {
      if (vault === vaultName.peek() && stage === 'ready') bump();
    }),
    () => document.removeEventListener('visibilitychange', isBack),
    () => clearTimeout(timer),
  ];
  document.addEventListener('visibilitychange', isBack);
  return () => {
    for (const stop of stops) stop();
  };
}
