import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { check, run, until } from '../outside-programs.mjs';
import { openTerminal } from '../terminal.mjs';
import { commandsIn, fits } from './page-blocks.mjs';

const serverPattern = /\bvaultdoor (serve|daemon|console)\b|\bnpm start\b/;
/** What a server says when it is ready. `npm start` prints the link to the console last. */
const readyPattern = /Ctrl-C ends it\.|^token: |\/c\/enter#k=[\w-]+\n/m;
const startedPattern = /\/c\/enter#k=[\w-]+\n$/;
/** Lines of a server's log, which pages leave out. */
const logPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z (info|warn) .*\n/gm;

/**
 * A reader of one page, in a home and a copy of the repository: types its commands in their order,
 * and compares what they print with what the page shows. Servers are started, awaited, and ended with
 * Ctrl-C when the reader has read the page, or before another one is started.
 */
export class Reader {
  #page;
  #home;
  #clone;
  #env;
  #token = '';
  #running = new Set();

  constructor({ page, home, clone, env }) {
    this.#page = page;
    this.#home = home;
    this.#clone = clone;
    this.#env = env;
    process.on('exit', () => {
      for (const server of this.#running) server.signal('SIGKILL');
    });
  }

  /** Types the commands of a block. */
  async type({ text, language, line, typed }) {
    for (const { command, output } of commandsIn({ text, language })) {
      const what = `${this.#page}:${line}: ${command.split('\n')[0]}`;
      try {
        const said = await this.#run(command.replaceAll('vd_…', this.#token), { output, typed });
        [this.#token] = /\bvd_[\w-]+/.exec(said.text) ?? [this.#token];
        const seen = said.text
          .replaceAll(this.#clone, '/home/you/vaultdoor')
          .replaceAll(this.#home, '/home/you');
        const isRight = serverPattern.test(command)
          ? fits(seen.replaceAll(logPattern, ''), output === '' ? '' : `${output}…\n`)
          : fits(seen, output);
        // A page that shows an exit code says so in a command of its own: `echo $?`.
        check(what, said.code === 0 && isRight, { command, expected: output, ...said, text: seen });
      } catch (error) {
        check(what, false, { command, error: String(error) });
      }
    }
  }

  /** Ends the servers that were started. */
  async leave() {
    for (const server of this.#running) {
      const end = await server.stop();
      check(`${this.#page}: Ctrl-C ends "${server.command}"`, [0, 130, 'SIGINT'].includes(end), {
        end,
        text: server.seen.text,
      });
    }
  }

  /** Starts each server of a client's configuration as a desktop app would, with no PATH. */
  async tryConfiguration({ text, line }) {
    const { mcpServers, servers } = JSON.parse(text);
    for (const [name, { command, args, env = {} }] of Object.entries(mcpServers ?? servers)) {
      const what = `${this.#page}:${line}: the server "${name}"`;
      const [file, ...rest] = args;
      const isAbsolute = /^\/.*\/bin\/node$/.test(command) && /^\/.*\.js$/.test(file);
      check(`${what} has absolute paths`, isAbsolute, { command, args });
      const own = Object.entries(env).map(([key, value]) => [
        key,
        value.replace('/home/you', this.#home),
      ]);
      const said = await run(process.execPath, [join(this.#clone, 'dist/vaultdoor.js'), ...rest], {
        env: { HOME: this.#home, ...Object.fromEntries(own) },
        input: `${JSON.stringify(hello)}\n`,
      });
      check(`${what} answers`, said.code === 0 && said.stdout.includes('"serverInfo"'), said);
    }
  }

  #run(command, { output, typed }) {
    // A block has answers for its one command that asks.
    if (typed !== undefined && / setup\b/.test(command)) {
      return this.#answer(command, { output, typed });
    }
    if (command.endsWith(' console')) return this.#askedConsole(command);
    return serverPattern.test(command) ? this.#serve(command) : this.#shell(command);
  }

  /** Opens the console without `--vault`: only one vault is known. Ctrl-C ends it. */
  async #askedConsole(command) {
    const options = { env: this.#env, cwd: this.#clone, columns: 200 };
    const terminal = await openTerminal(['bash', '-c', command], options);
    const text = await terminal.shows('Ctrl-C ends it.', 60);
    await terminal.press('C-c');
    await terminal.ended(60);
    await terminal.close();
    return { code: text.includes('/c/enter#k=') ? 0 : 1, text };
  }

  /** Runs a command in the reader's shell; the variables that it sets are there for later ones. */
  async #shell(command) {
    const exports = join(this.#home, '.exports');
    const script = `exec 2>&1\n${command}\ncode=$?\nenv -0 >${exports}\nexit $code`;
    const { code, stdout } = await run('bash', ['-c', script], {
      cwd: this.#clone,
      env: this.#env,
    });
    for (const pair of existsSync(exports) ? readFileSync(exports, 'utf8').split('\0') : []) {
      const [name, value] = pair.split(/=(.*)/s);
      if (/VAULT|^PATH$/.test(name)) this.#env = { ...this.#env, [name]: value };
    }
    return { code, text: stdout };
  }

  /**
   * Runs a command in a real terminal, and answers its questions. Each answer is typed when the last
   * line of the terminal is the line of the page that ends with this answer; where the page does not
   * show the answer, when the line ends with the usual answer in brackets, or, for a passphrase, with a
   * colon.
   */
  async #answer(command, { output, typed }) {
    const terminal = await openTerminal(['bash', '-c', command], {
      env: this.#env,
      cwd: this.#clone,
      columns: 200,
    });
    const shown = output.split('\n');
    let last = '';
    for (const answer of typed) {
      const line = shown.splice(0, shown.findIndex((each) => each.endsWith(answer)) + 1).at(-1);
      const question = line?.slice(0, line.length - answer.length).trimEnd();
      await until(
        async () => {
          last = (await terminal.history()).split('\n').at(-1);
          return question === undefined ? /[\]:]$/.test(last) : fits(last, question);
        },
        () => `${last}\n-- should ask: ${question ?? 'something'}`,
        60,
      );
      await terminal.answer(answer);
    }
    const code = await terminal.ended(60);
    const text = `${await terminal.history()}\n`;
    await terminal.close();
    return { code, text };
  }

  /** Starts a server as the reader does, and resolves when it has said that it is ready. */
  async #serve(command) {
    if (!command.includes('vaultdoor console')) await this.leave();
    const isStart = command.includes('npm start');
    // `npm start` serves the example vault whatever the environment says.
    const vaults = { VAULT_PATH: join(this.#home, 'Elsewhere'), OBSIDIAN_VAULT_PATH: this.#home };
    const child = spawn('bash', ['-c', `exec 2>&1\n${command}`], {
      cwd: this.#clone,
      env: isStart ? { ...this.#env, ...vaults } : this.#env,
      detached: true, // A group of its own, so that Ctrl-C reaches all of it and nobody else.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const seen = { text: '', end: undefined };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      seen.text += text;
    });
    const signal = (name) => process.kill(-child.pid, name);
    const ended = new Promise((resolve) => {
      child.on('close', (code, name) => {
        seen.end = code ?? name;
        this.#running.delete(server);
        resolve(seen.end);
      });
    });
    const stop = () => {
      signal('SIGINT');
      return ended;
    };
    const server = { command, seen, signal, stop };
    this.#running.add(server);
    const isReady = () => (isStart ? startedPattern : readyPattern).test(seen.text);
    await until(
      () => isReady() || seen.end !== undefined,
      () => seen.text,
      60, // `npm start` builds the program first.
    );
    const [link] = /http:\S+(?=\/c\/enter#k=)/.exec(seen.text) ?? [];
    if (link !== undefined) {
      const { status } = await fetch(`${link}/c/enter`);
      check(`${this.#page}: the link of "${command}" leads to the console`, status === 200, status);
    }
    return { code: isReady() ? 0 : seen.end, text: seen.text };
  }
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'reader', version: '1' },
  },
};
