import { limits } from '../../../base/limits.ts';
import { abortReason } from '../../../base/vault-error.ts';
import { findProgram, type ProgramPlace } from '../find-program.ts';

/** The programs that open an address with the program that is registered for it. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // Not explorer.exe, whose exit code is 1 even on success; not `start`, which needs a shell.
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};
const freedesktop: readonly string[] = ['xdg-open'];

/**
 * Opens an address such as `obsidian://…` with the platform's opener, without a shell. Returns false
 * when there is no opener, no display, or no program for the address. If the opener is still running
 * after `limits.openerMs`, it has become that program and is left alone.
 */
export async function openAddress(
  address: string,
  { platform, env, signal }: ProgramPlace & { readonly signal: AbortSignal },
): Promise<boolean> {
  if (signal.aborted) throw abortReason(signal);
  const [name = '', ...args] = openers[platform] ?? freedesktop;
  const file = findProgram([name], { platform, env });
  if (file === undefined || !hasDisplay({ platform, env })) return false;
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args, address], { env, stdio: 'ignore', detached: true });
    const cleanUp = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      child.unref();
    };
    const answer = (isOpened: boolean): void => {
      cleanUp();
      resolve(isOpened);
    };
    const abort = (): void => {
      cleanUp();
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => answer(true), limits.openerMs);
    signal.addEventListener('abort', abort, { once: true });
    child.on('error', () => answer(false));
    child.on('exit', (exitCode) => answer(exitCode === 0));
  });
}

function hasDisplay({ platform, env }: ProgramPlace): boolean {
  if (platform === 'win32' || platform === 'darwin') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}
