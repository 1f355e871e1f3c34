import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// What the compiler cannot see: which library may be imported where, and how files are named. Which
// room may import which is in walls.test.ts.

const root = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = tracked.filter((file) => /^src\/.*\.ts$/.test(file));
const code = sources.filter((file) => !/\.test\.ts$|\.d\.ts$/.test(file));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The only folders that may import each library. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  yaml: ['markdown'],
  diff: ['engine'],
  zod: ['tools', 'cli'],
  '@modelcontextprotocol/server': ['doors'],
  '@modelcontextprotocol/server/stdio': ['doors'],
  '@photostructure/sqlite': ['sqlite'],
  '@silvia-odwyer/photon-node': ['node'],
  '@vscode/ripgrep': ['node'],
  'node:sqlite': ['sqlite'],
};

const pure = ['base', 'markdown', 'engine', 'tools'];

function folderOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function importsOf(file: string): string[] {
  const pattern = /(?<!')(?:from|import)\s*\(?\s*'([^']+)'/g;
  return Array.from(read(file).matchAll(pattern), (match) => match[1] ?? '');
}

describe('walls', () => {
  it('finds the sources', () => {
    expect(code.length).toBeGreaterThan(50);
  });

  it('lets libraries in only where they belong', () => {
    const wrong = code.flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.'))
        .filter((name) => {
          const allowed = libraries[name];
          if (allowed !== undefined) return !allowed.includes(folderOf(file));
          return !name.startsWith('node:') || pure.includes(folderOf(file));
        })
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps Node out of the pure folders', () => {
    const wrong = code
      .filter((file) => pure.includes(folderOf(file)))
      .filter((file) =>
        /\b(process|Buffer|console|setTimeout|require)\b\s*[.(]/.test(stripComments(read(file))),
      );
    expect(wrong).toEqual([]);
  });
});

describe('rules about who may do what', () => {
  const elsewhere = code.filter((file) => !file.startsWith('src/engine/decide/'));
  const inEngineAndTools = elsewhere.filter((file) => /^src\/(engine|tools)\//.test(file));
  const found = (files: readonly string[], rule: RegExp, allowed: readonly string[] = []) =>
    files.filter((file) => rule.test(stripComments(read(file))) && !allowed.includes(file));

  it('are in engine/decide: rights', () => {
    const rule = /effects\s*\.\s*(includes|some|every|find|filter|indexOf)\b/;
    expect(found(elsewhere, rule, ['src/node/server/token-book.ts'])).toEqual([]);
  });

  it('are in engine/decide: folders and hidden files', () => {
    // One makes the view that everything is looked at with, the other chooses words for changes.
    const views = ['src/engine/open/caller-vault.ts', 'src/engine/change/change-names.ts'];
    const rule = /scopes\b[^;]*\b(folders|hide)\b|\{[^}]*\b(folders|hide)\b[^}]*\} = [\w.]*scopes/;
    expect(found(inEngineAndTools, rule, views)).toEqual([]);
  });

  it('are in engine/decide: refusals', () => {
    // These are about names that begin with a dot, or that no path can spell, for every caller.
    const names = ['src/engine/draft/vault-draft.ts', 'src/engine/draft/raw-tree.ts'];
    const rule = /(VaultError|rawError)\(\s*'forbidden'/;
    // This says that the owner was asked, after `decide` has said to ask.
    const asking = ['src/engine/change/owners-say.ts'];
    expect(found(inEngineAndTools, rule, [...names, ...asking])).toEqual([]);
  });

  it('are in engine/decide: the policies for tags, the brake, and proposals', () => {
    const rule = /[=!]== '(enforce|strict)'|'propose'|brakeFiles\s*[<>]|[<>]=?\s*[\w.]*brakeFiles/;
    // This lists tools that answer with a proposal, and these count only for callers with a brake.
    const allowed = ['src/tools/define/proposing.ts', 'src/tools/service/vaults-service.ts'];
    expect(found(inEngineAndTools, rule, [...allowed, 'src/engine/change/owners-say.ts'])).toEqual(
      [],
    );
  });
});

describe("the owner's desk", () => {
  it('is reached by the commands of the owner alone, never by a tool or a door', () => {
    const isDesk = (file: string, name: string): boolean =>
      name.includes('/tools/owner/') || (folderOf(file) === 'tools' && name.includes('/owner/'));
    const users = code.filter(
      (file) =>
        !/^src\/(tools|cli)\/owner\//.test(file) &&
        importsOf(file).some((name) => isDesk(file, name)),
    );
    expect(users).toEqual([]);
  });
});

describe('files', () => {
  it('export by name, and no folder has a barrel', () => {
    expect(sources.filter((file) => /^export default/m.test(read(file)))).toEqual([]);
    expect(sources.filter((file) => /\/index\.ts$/.test(file))).toEqual([]);
  });

  it('stay under 400 lines', () => {
    const long = tracked
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .filter((file) => read(file).split('\n').length > 400);
    expect(long).toEqual([]);
  });

  it('name no path of a machine and no registry', () => {
    const texts = tracked.filter((file) => /\.(ts|mjs|md|json|yml|sh)$|^\.ci\//.test(file));
    const pattern = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', 'registry\\.' + 'npmjs'].join('|'));
    expect(texts.filter((file) => pattern.test(read(file)))).toEqual([]);
  });
});

describe('dependencies', () => {
  const manifest = JSON.parse(read('package.json')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const all = { ...manifest.dependencies, ...manifest.devDependencies };

  it('are pinned exactly', () => {
    expect(Object.values(all).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('each have a line in CONTRIBUTING.md that says why', () => {
    const text = read('CONTRIBUTING.md');
    expect(Object.keys(all).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('are locked without addresses', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"');
  });
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
