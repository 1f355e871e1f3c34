import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type FindRules,
  findDoorRules,
  findPolicyRules,
  findRefusals,
  findRightsRules,
  findUsesOfRightTo,
  findViewRules,
  stripComments,
} from './support/decide-rules.ts';

// What the compiler cannot see: which library may be imported where, and how files are named. Which
// room may import which is in walls.test.ts.

const root = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = tracked.filter((file) => /^src\/.*\.tsx?$/.test(file));
const code = sources.filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The only folders that may import each library. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  yaml: ['markdown'],
  diff: ['engine', 'console'],
  re2js: ['engine'],
  zod: ['tools', 'cli'],
  '@modelcontextprotocol/server': ['doors'],
  '@modelcontextprotocol/server/stdio': ['doors'],
  '@photostructure/sqlite': ['sqlite'],
  pg: ['postgres'],
  '@silvia-odwyer/photon-node': ['node'],
  'pdfjs-dist': ['node'],
  'pdfjs-dist/legacy/build/pdf.mjs': ['node'],
  'pdfjs-dist/legacy/build/pdf.worker.mjs': ['node'],
  '@vscode/ripgrep': ['node'],
  'node:sqlite': ['sqlite'],
  'lean-qr': ['console'],
  'markdown-it': ['console'],
  graphology: ['console'],
  'graphology-layout-forceatlas2/iterate.js': ['console'],
  sigma: ['console'],
  preact: ['console'],
  'preact/hooks': ['console'],
  '@preact/signals': ['console'],
};

const pure = ['base', 'markdown', 'engine', 'tools', 'oauth'];

function folderOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function importsOf(file: string): string[] {
  const pattern = /(?<!['-])(?:from|import)\s*\(?\s*'([^']+)'/g;
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
          return !name.startsWith('node:') || [...pure, 'console'].includes(folderOf(file));
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

describe('files on a network drive', () => {
  // Node aborts the whole process when `close` fails while it reads a text this way; GlusterFS fails
  // so with ESTALE. Files of the system are not on such a drive.
  it('are read as bytes where that is synchronous', () => {
    const reading = /readFileSync\((?!'\/(?:proc|sys)\/)[^()]*, *'utf-?8'/;
    const wrong = code
      .filter((file) => file !== 'src/node/watch/inotify-use.ts')
      .filter((file) => reading.test(stripComments(read(file))));
    expect(wrong).toEqual([]);
  });
});

describe('the console', () => {
  // A note is hostile input: the page makes elements, and never HTML or code out of text.
  const words =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc|\beval\b|document\.write|\bFunction\(/;

  it('has no way to make HTML or code out of text', () => {
    const wrong = code
      .filter((file) => folderOf(file) === 'console')
      .filter((file) => words.test(stripComments(read(file))));
    expect(wrong).toEqual([]);
  });
});

describe('rules about who may do what', () => {
  const rooms = /^src\/(engine|tools)\/(?!decide\/)/;
  const inEngineAndTools = code.filter((file) => rooms.test(file));
  const everywhere = code.filter(
    (file) => !/^src\/(engine\/decide\/|base\/caller\.ts$)/.test(file),
  );
  const found = (files: readonly string[], find: FindRules, allowed: readonly string[]) =>
    files.filter((file) => !allowed.includes(file) && find(read(file)).length > 0);

  it('are in engine/decide: rights', () => {
    // These read rights from files, options and requests, and check how they are spelled.
    const reading = [
      'src/node/server/token-book.ts',
      'src/node/oauth/oauth-page.ts',
      'src/cli/options/token-options.ts',
      'src/oauth/grants/scope-words.ts',
    ];
    // These ask the owner what a client gets, and put it into words.
    const asking = [
      'src/doors/oauth/consent-choices.ts',
      'src/doors/oauth/shown-grant.ts',
      'src/cli/owner/connections-command.ts',
    ];
    // These are the owner's page: which buttons it has, and rights in words. The server refuses.
    const page = [
      'src/console/page/server-state.ts',
      'src/console/access/new-token.tsx',
      'src/console/access/token-list.tsx',
    ];
    expect(found(everywhere, findRightsRules, [...reading, ...asking, ...page])).toEqual([]);
    // These choose words and list tools. The check of a vault only looks where it may not mend.
    const choosing = [
      'src/doors/oauth/consent-choices.ts',
      'src/engine/operations/vault/check-vault.ts',
      'src/tools/agent/conventions.ts',
      'src/tools/agent/instructions.ts',
      'src/tools/define/proposing.ts',
      'src/tools/notes/context.ts',
      'src/tools/notes/instructions.ts',
      'src/tools/service/vaults-service.ts',
    ];
    expect(found(everywhere, findUsesOfRightTo, choosing)).toEqual([]);
  });

  it('are in engine/decide: folders and hidden files', () => {
    // These make the view that everything is looked at with, and one chooses words for changes.
    const views = [
      'src/engine/open/caller-vault.ts',
      'src/engine/ports/view.ts',
      'src/engine/text/marks.ts',
      'src/engine/change/change-names.ts',
    ];
    expect(found(inEngineAndTools, findViewRules, views)).toEqual([]);
  });

  it('are in engine/decide: refusals', () => {
    // These are about names that begin with a dot, or that no path can spell, for every caller.
    const names = ['src/engine/draft/vault-draft.ts', 'src/engine/draft/raw-tree.ts'];
    // These say what `decide` has decided: that the owner was asked, and which tags there are.
    const saying = ['src/engine/change/owners-say.ts', 'src/engine/tags/tag-refusal.ts'];
    expect(found(inEngineAndTools, findRefusals, [...names, ...saying])).toEqual([]);
  });

  it('are in engine/decide: the policies for tags, the brake, and proposals', () => {
    // These list tools that answer with a proposal.
    const allowed = ['src/tools/define/proposing.ts', 'src/tools/service/vaults-service.ts'];
    // This counts only for callers with a brake, and this takes it off when the owner accepts.
    const counting = ['src/engine/change/owners-say.ts', 'src/tools/owner/accept-proposal.ts'];
    expect(found(inEngineAndTools, findPolicyRules, [...allowed, ...counting])).toEqual([]);
  });

  it('are in engine/decide: what depends on the door', () => {
    // These join saves of the same file in the history, and choose words.
    const others = [
      'src/engine/change/change-committer.ts',
      'src/tools/cli/change-who.ts',
      'src/tools/cli/history.ts',
      'src/tools/wording/client-title.ts',
    ];
    expect(found(inEngineAndTools, findDoorRules, others)).toEqual([]);
  });

  it.each<[string, FindRules, bad: readonly string[], good: readonly string[]]>([
    [
      'rights',
      findRightsRules,
      [
        "const { effects } = scopes;\nif (!effects.includes('write')) return;",
        "if (caller.scopes.effects\n  .some((right) => right === 'write')) return;",
        "if (scopes?.effects?.includes('destroy')) return;",
        "if (options.rights.length < 3) throw new Error('no');",
        "const may = new Set(scopes.effects);\nmay.has('write');",
        'for (const right of caller.scopes.effects) use(right);',
        'const [first] = [...scopes.effects];',
        "const { effects: may } = caller.scopes;\nif (may.includes('write')) return;",
        'function f({ effects: may }: Scopes) {}',
        "if ((scopes.effects as string[]).includes('x')) return;",
        "if (mine.indexOf('propose') === -1) return;",
        'if (scopes.effects[2] === undefined) return;',
      ],
      [
        'service.list(connection.scopes.effects).map(sentTool);',
        "if (rightTo('write', effects) !== undefined) return;",
        "const effects: Scopes['effects'] = ['read'];",
        "return effects.join(' ');",
        "if (tool.effect !== 'read') return;",
        "// effects.includes('write') is a rule",
        'return { ...scopes, effects: commonRights(scopes.effects, hello.rights) };',
      ],
    ],
    [
      'folders and hidden files',
      findViewRules,
      [
        "if (!caller.scopes.folders.includes('')) return;",
        'if (scopes.hide.length > 0) return;',
        'const { folders, hide } = vault.caller.scopes;',
        'const {\n  scopes: { folders },\n} = vault.caller;',
        'function f({ folders }: Scopes) {}',
        "function f({ hide }: Pick<Scopes, 'hide'>) {}",
        'const { scopes: limits } = caller;\nlimits.folders.length;',
        'const limits = caller.scopes;\nif (limits.hide.length) return;',
        'const seen = caller?.scopes?.folders ?? [];',
        'if ((caller.scopes.hideTags ?? []).length > 0) return;',
        "const { folders } = given;\nif (folders.includes('')) return;",
      ],
      [
        'const { folders, files } = await rawTree(vault, path);',
        'return { total: folders.length, folders: folders.slice(offset) };',
        'const { scopes, signal } = vault.caller;\nthrow seesAllOf(scopes) ? error : other;',
        'const hidden = view.hide.map(globPattern);',
        "checkAllowed(vault.caller, { wholeVault: 'sync' });",
      ],
    ],
    [
      'refusals',
      findRefusals,
      [
        "throw new VaultError('forbidden', 'No.');",
        "throw new VaultError(\n  'forbidden',\n  `No.`,\n);",
        "throw rawError('forbidden', at, 'no');",
        "const code = 'forbidden';",
        "return { code: 'forbidden', reason };",
        "const code = mayWrite ? 'io_failed' : 'forbidden';",
        "throw new VaultError(isTag ? 'tag_not_allowed' : 'invalid_input', 'No.');",
        'throw new VaultError(`forbidden`, "No.");',
      ],
      [
        "if (error.code === 'forbidden') return;",
        "if (error.code !== 'tag_not_allowed') return undefined;",
        "const unread = new Set(['not_found', 'forbidden', 'too_large']);",
        "switch (code) {\n  case 'forbidden':\n    return 1;\n}",
        "// throw new VaultError('forbidden', 'No.')",
      ],
    ],
    [
      'policies',
      findPolicyRules,
      [
        "if (policy === 'enforce') return;",
        "if (['enforce', 'strict'].includes(policy)) return;",
        "switch (policy) {\n  case 'strict':\n    return;\n}",
        "if (right == 'propose') return;",
        'if (count > scopes.brakeFiles) return;',
        'const { brakeFiles = 25 } = caller.scopes;',
      ],
      [
        "if (options.tagPolicy === 'off') return;",
        'if (refusesNewTags(policy)) return;',
        'const consequence = { enforce: 1, strict: 2 };',
      ],
    ],
    [
      'doors',
      findDoorRules,
      [
        "if (caller.door === 'cli') return;",
        "const isOwner = vault.caller.door !== 'cli';",
        "if ('cli' === door) return;",
        "switch (caller.door) {\n  case 'cli':\n    return;\n}",
        "if (['cli', 'remote'].includes(caller.door)) return;",
        'if (owners.has(caller?.door)) return;',
        'const may = rights[caller.door];',
      ],
      [
        'if (isOwner(caller)) return;',
        'return { door, client };',
        'if (door !== undefined) only(door);',
        "// door === 'cli' is a rule",
      ],
    ],
  ])('are found by their looks: %s', (_, find, bad, good) => {
    expect(bad.filter((text) => find(text).length === 0)).toEqual([]);
    expect(good.filter((text) => find(text).length > 0)).toEqual([]);
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
      .filter((file) => /\.(tsx?|mjs)$/.test(file))
      .filter((file) => read(file).split('\n').length > 400);
    expect(long).toEqual([]);
  });

  it('name no path of a machine and no registry', () => {
    const texts = tracked.filter((file) => /\.(tsx?|mjs|md|json|yml|sh)$|^\.ci\//.test(file));
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
    // Or a folder of this repository.
    const exact = /^(?:\d+\.\d+\.\d+|file:scripts\/[\w-]+)$/;
    expect(Object.values(all).filter((version) => !exact.test(version))).toEqual([]);
  });

  it('each have a line in CONTRIBUTING.md that says why', () => {
    const text = read('CONTRIBUTING.md');
    expect(Object.keys(all).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('are locked without addresses', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "(?!scripts\/)/);
  });
});
