import { describe, expect, it } from 'vitest';
import { mcpbManifest } from '../../scripts/mcpb/manifest.ts';
import { serverVariables, withEnvironment } from '../../src/cli/options/environment-options.ts';

const manifest = mcpbManifest({ version: '1.2.3', license: 'MIT' });
const { args, env } = manifest.server.mcp_config;

type Settings = Readonly<Record<string, string | boolean | readonly string[]>>;

/** What clients put in place of a placeholder; several folders become several words. */
function filledIn(text: string, settings: Settings): readonly string[] {
  const key = /^\$\{user_config\.(\w+)\}$/.exec(text)?.[1];
  const value = key === undefined ? undefined : settings[key];
  return value === undefined ? [text] : [value].flat().map(String);
}

/** The words that the server reads when a client starts it with these settings. */
function wordsWith(settings: Settings): readonly string[] {
  const words = args.slice(args.indexOf('stdio') + 1).flatMap((word) => filledIn(word, settings));
  const filled = Object.entries(env).map(([name, text]) => [name, filledIn(text, settings)[0]]);
  return withEnvironment(words, Object.fromEntries(filled), serverVariables);
}

describe('the settings of the MCPB bundle', () => {
  const untold = ['--wait-for-vault'];

  it.each<[string, Settings, readonly string[]]>([
    ['left empty', {}, untold],
    ['vaults', { vaults: ['/a b', '/c'] }, [...untold, '--vault=/a b', '--vault=/c']],
    ['read-only', { read_only: true }, ['--read-only', ...untold]],
    ['not read-only', { read_only: false }, untold],
    ['CLI-style tools', { cli_tools: true }, ['--tools=obsidian', ...untold]],
    ['asks before new tags', { ask_new_tags: true }, ['--tag-policy=enforce', ...untold]],
    ['does not ask', { ask_new_tags: false }, ['--tag-policy=off', ...untold]],
    ['private', { private_folders: 'A, b/*' }, ['--hide=A', '--hide=b/*', ...untold]],
    ['nothing private', { private_folders: '' }, untold],
  ])('%s: become options of stdio', (_what, settings, words) => {
    expect(wordsWith(settings)).toEqual(words);
  });

  it('each reach the server', () => {
    const used = JSON.stringify([args, env]);
    const settings = Object.keys(manifest.user_config);
    expect(settings).not.toEqual([]);
    for (const setting of settings) {
      expect(used).toContain(`{user_config.${setting}}`);
    }
  });
});

it('the bundle has the version of the package and lists tools with what they do', () => {
  expect(manifest.version).toBe('1.2.3');
  expect(manifest.tools.length).toBeGreaterThan(10);
  expect(manifest.tools.filter(({ description }) => description.length < 12)).toEqual([]);
});
