import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository, run } from '../outside-programs.mjs';

/**
 * Follows the steps of deploy/Dockerfile without Docker: each stage is a folder in `home`, and a path
 * such as `/opt` is meant in the folder of its stage. The first stage gets `node` as its program Node,
 * and the packages of this checkout instead of running `npm ci`. Returns the folder of the last stage and
 * its settings: ENV, USER, and the commands of HEALTHCHECK, ENTRYPOINT and CMD. Throws if a step fails.
 */
export async function followDockerfile({ home, node, env: outer }) {
  const stages = new Map();
  const context = await buildContext();
  let stage;
  for (const { word, rest } of instructions()) {
    switch (word) {
      case 'FROM': {
        const name = / AS (\w+)$/.exec(rest)?.[1] ?? 'last';
        stage = { root: join(home, name), folder: '/', env: {}, settings: {} };
        mkdirSync(stage.root);
        stages.set(name, stage);
        if (stages.size === 1) copy(node, join(stage.root, 'usr/local/bin/node'));
        break;
      }
      case 'WORKDIR':
        stage.folder = rest;
        mkdirSync(join(stage.root, rest), { recursive: true });
        break;
      case 'ARG':
        stage.env = { ...stage.env, ...pairsOf(rest) };
        break;
      case 'ENV':
        stage.settings.ENV = { ...stage.settings.ENV, ...pairsOf(rest) };
        break;
      case 'COPY':
        copyStep(rest, { stage, stages, context });
        break;
      case 'RUN':
        if (rest.startsWith('npm ci')) {
          symlinkSync(
            join(repository, 'node_modules'),
            join(stage.root, stage.folder, 'node_modules'),
          );
        } else {
          await runStep(rest, { stage, outer });
        }
        break;
      case 'HEALTHCHECK':
        stage.settings[word] = JSON.parse(rest.slice(rest.indexOf('[')));
        break;
      case 'ENTRYPOINT':
      case 'CMD':
        stage.settings[word] = JSON.parse(rest);
        break;
      case 'USER':
        stage.settings.USER = rest;
        break;
      case 'VOLUME':
      case 'EXPOSE':
      case 'STOPSIGNAL':
        break;
      default:
        throw new Error(`This script does not know the instruction ${word}.`);
    }
  }
  return { root: stage.root, ...stage.settings };
}

/** The instructions of the Dockerfile, with continued lines joined. */
function instructions() {
  const text = readFileSync(join(repository, 'deploy', 'Dockerfile'), 'utf8');
  return text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ word: line.split(' ')[0], rest: line.slice(line.indexOf(' ') + 1) }));
}

function pairsOf(text) {
  const pairs = text.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g);
  return Object.fromEntries(Array.from(pairs, ([, name, quoted, word]) => [name, quoted ?? word]));
}

/** The files that Docker would be given: those of the checkout that Dockerfile.dockerignore lets through. */
async function buildContext() {
  const file = join(repository, 'deploy', 'Dockerfile.dockerignore');
  const rules = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const pattern = line.replace(/^!/, '');
      const words = pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*');
      return { lets: line.startsWith('!'), form: new RegExp(`^${words}(/|$)`) };
    });
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await run('git', listed, { cwd: repository });
  return stdout
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repository, path)))
    .filter((path) => rules.findLast(({ form }) => form.test(path))?.lets ?? true);
}

function copyStep(rest, { stage, stages, context }) {
  const [, from, words] = /^(?:--from=(\w+) )?(.*)$/.exec(rest);
  const sources = words.split(' ');
  const target = sources.pop();
  const inside = join(stage.root, target.startsWith('/') ? '' : stage.folder, target);
  for (const source of sources) {
    if (from !== undefined) {
      const path = join(stages.get(from).root, source);
      if (!existsSync(path)) throw new Error(`COPY ${rest}: ${source} is not there.`);
      copy(path, inside);
      continue;
    }
    const found = context.filter((path) => source === '.' || `${path}/`.startsWith(`${source}/`));
    if (found.length === 0) throw new Error(`COPY ${rest}: .dockerignore leaves out ${source}.`);
    for (const path of found) {
      const isInto = source === '.' || target.endsWith('/');
      copy(join(repository, path), isInto ? join(inside, path) : inside);
    }
  }
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Runs a step in the shell, with the paths of its stage. */
async function runStep(rest, { stage, outer }) {
  const command = rest.replace(/(?<=^|[\s=])\/(?=[a-z])/g, `${stage.root}/`);
  const env = {
    ...outer,
    ...stage.env,
    PATH: `${join(stage.root, 'usr/local/bin')}:${outer.PATH}`,
  };
  const cwd = join(stage.root, stage.folder);
  const said = await run('sh', ['-euc', command], { cwd, env });
  if (said.code !== 0) throw new Error(`RUN ${rest} failed:\n${JSON.stringify(said)}`);
}
