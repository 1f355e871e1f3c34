#!/usr/bin/env node
// A stand-in for the official `obsidian` program, which needs the app. It answers as the CLI of
// 1.12 and 1.13 was seen to answer: in-app failures are words on stdout with exit code 0, and only
// "the app is not running" comes from the CLI itself, on stderr with exit code 1.
//
// STAND_IN_OBSIDIAN  how it behaves, see `behaviours`; "running" unless given
// STAND_IN_LOG       a file that gets one line of JSON for every start: the arguments

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const args = process.argv.slice(2);
const log = process.env.STAND_IN_LOG;
const behaviour = process.env.STAND_IN_OBSIDIAN ?? 'running';

const say = (text) => process.stdout.write(`${text}\n`);
const note = (line) => log && appendFileSync(log, `${JSON.stringify(line)}\n`);
const stay = () => setInterval(() => undefined, 60_000);

const palette = ['app:open-settings\tOpen settings', 'app:reload\tReload app without saving'];

const behaviours = {
  running: answer,
  'not-running': () => {
    process.stderr.write(
      'The CLI is unable to find Obsidian. Please make sure Obsidian is running and try again.\n',
    );
    process.exitCode = 1;
  },
  off: () =>
    say(
      'Command line interface is not enabled. Please turn it on in Settings > General > Advanced.',
    ),
  'unknown-vault': () => say('Vault not found.'),
  /** An installer that is older than the app inside of it. */
  'old-installer': () => {
    say('2026-11-03 10:00:00 Loading updated app package /opt/obsidian/obsidian.asar');
    say('Your Obsidian installer is out of date. Please download the latest installer.');
    answer();
  },
  refuses: () => say('Error: ENOSPC: no space left on device'),
  fails: () => {
    process.stderr.write('Segmentation fault\n');
    process.exitCode = 139;
  },
  /** What `Obsidian.exe` does at a shell of Windows. */
  silent: () => undefined,
  garbage: () => process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])),
  huge: () => {
    const line = 'x'.repeat(65_536);
    const more = () => {
      while (process.stdout.write(line));
      process.stdout.once('drain', more);
    };
    more();
  },
  'tells-env': () => say(Object.keys(process.env).join('\n')),
  slow: () => setTimeout(answer, 1_000),
  'never-ends': () => {
    process.on('SIGTERM', () => note('SIGTERM'));
    note({ pid: process.pid });
    stay();
  },
  /** Waits for a child that does not listen either; both are in the log. */
  'waits-for-child': () => {
    const child = leaveChild();
    note({ pid: process.pid, child: child.pid });
    stay();
  },
  /** Answers and ends, but a child of its own keeps its output open. */
  'leaves-child': () => {
    const child = leaveChild();
    note({ pid: process.pid, child: child.pid });
    answer();
    child.unref();
  },
};

/** The documented outputs. */
function answer() {
  const [command, ...rest] = args.filter((arg) => !arg.startsWith('vault='));
  const value = (key) => rest.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1);
  switch (command) {
    case 'version':
      return say('1.13.7 (installer 1.13.4)');
    case 'open': {
      const path = value('path') ?? value('file');
      return say(
        path?.includes('missing') ? `Error: File "${path}" not found.` : `Opened: ${path}`,
      );
    }
    case 'commands':
      for (const line of palette) {
        const id = line.slice(0, line.indexOf('\t'));
        if (id.startsWith(value('filter') ?? '')) say(id);
      }
      return undefined;
    case 'command': {
      const id = value('id');
      const isKnown = palette.some((line) => line.startsWith(`${id}\t`));
      return say(isKnown ? `Executed: ${id}` : `Error: Command "${id}" not found.`);
    }
    case 'tabs':
      return say('[markdown] Welcome\n[graph] Graph view');
    case 'recents':
      return say('Welcome.md\nProjects/Garden.md');
    default:
      return say(`Error: Command "${command}" not found. It may require a plugin to be enabled.`);
  }
}

function leaveChild() {
  const endless = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 60_000)';
  return spawn(process.execPath, ['-e', endless], { stdio: ['ignore', 'inherit', 'inherit'] });
}

note(args);
behaviours[behaviour]();
