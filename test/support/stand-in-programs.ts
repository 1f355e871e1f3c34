import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

const scripts = {
  obsidian: new URL('stand-in-obsidian.mjs', import.meta.url).href,
  'xdg-open': new URL('stand-in-opener.mjs', import.meta.url).href,
  rclone: new URL('stand-in-rclone.mjs', import.meta.url).href,
  ssh: new URL('stand-in-ssh.mjs', import.meta.url).href,
};

export interface StandInPrograms {
  /** Where they are; a PATH of nothing else finds them and no program of the machine. */
  readonly folder: string;
  /** What they are run with: PATH, a display, and a home without an Obsidian. */
  readonly env: Readonly<Record<string, string>>;
  /** What each start was given, and what the programs said about themselves, in order. */
  calls(): readonly unknown[];
  /** Puts one more program there. */
  add(name: keyof typeof scripts): void;
}

/** Programs that stand in for those of the machine, in a folder of their own until the test ends. */
export function standInPrograms(...names: readonly (keyof typeof scripts)[]): StandInPrograms {
  const folder = tempFolder();
  const log = join(folder, 'calls.jsonl');
  const add = (name: keyof typeof scripts): void => {
    // By its full path: the Node that runs the tests need not be on PATH.
    const text = `#!${process.execPath}\nimport(${JSON.stringify(scripts[name])});\n`;
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  names.forEach(add);
  return {
    folder,
    env: { PATH: folder, HOME: folder, DISPLAY: ':0', STAND_IN_LOG: log },
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line): unknown => JSON.parse(line))
        : [],
    add,
  };
}
