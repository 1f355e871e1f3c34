import { describe, expect, it } from 'vitest';
import {
  hideOthers,
  isOurUnit,
  settingsIn,
  unitText,
  withoutSettings,
  withSettings,
} from './service-files.ts';

const kept = { settings: { VAULT_PATH: '/v/Notes', PORT: '1065' }, token: 'setup' };

describe('the settings of the service', () => {
  it.each([
    ['an empty file', ''],
    ['a file of others', 'A=b\n'],
    ['a file without a last line end', 'A=b'],
  ])('come back from %s, and leave it as it was', (_, text) => {
    const written = withSettings(text, kept);
    expect(settingsIn(written)).toEqual(kept);
    expect(withoutSettings(written)).toBe(text === 'A=b' ? 'A=b\n' : text);
  });

  it('say what is kept of reads, and how to turn it off', () => {
    const reads = { settings: { VAULTDOOR_LOG_READS: 'true' } };
    const written = withSettings('', reads);
    expect(written).toMatch(/\n# Keeps for 30 days .*=false .*\nVAULTDOOR_LOG_READS="true"\n/);
    expect(settingsIn(written)).toEqual(reads);
    expect(withSettings(written, reads)).toBe(written);
    expect(withoutSettings(written)).toBe('');
    expect(hideOthers(written)).toBe(written);
  });

  it('are replaced where they are', () => {
    const text = `A=b\n${withSettings('', kept)}C=d\n`;
    const other = { settings: { VAULT_PATH: '/w' } };
    const written = withSettings(text, other);
    expect(settingsIn(written)).toEqual(other);
    expect(withoutSettings(written)).toBe('A=b\nC=d\n');
    expect(written).toMatch(/^A=b\n# Written[\s\S]*# end\nC=d\n$/);
  });

  it.each(['/a b', '/a"b', '/a\\b', '/a$HOME', '/a`b`', "/a'b", '/a%h'])(
    'have the path %j as it is',
    (path) => {
      expect(settingsIn(withSettings('', { settings: { VAULT_PATH: path } }))?.settings).toEqual({
        VAULT_PATH: path,
      });
    },
  );

  it('cannot have a line break', () => {
    expect(() => withSettings('', { settings: { VAULT_PATH: '/a\nHOST="0.0.0.0"' } })).toThrow(
      /line break/,
    );
  });

  it('are none where the end is missing', () => {
    expect(settingsIn(withSettings('', kept).replace('# end\n', ''))).toBeUndefined();
  });

  it('leave the lines of others where a person has deleted an end', () => {
    const cut = withSettings('', kept).replace('# end\n', '');
    const written = withSettings(`${cut}KEY=secret\n`, kept);
    expect(withoutSettings(written)).toBe(`${cut}KEY=secret\n`);
    expect(hideOthers(written)).not.toContain('secret');
  });

  it('leave and do not print a line that a person has added among them', () => {
    const added = 'VAULTDOOR_NOTIFY="secret"\n';
    const text = withSettings('', kept).replace('# end', `${added}# end`);
    expect(hideOthers(text)).toContain('VAULTDOOR_NOTIFY=…\n# end\n');
    expect(withoutSettings(text)).toBe(added);
    expect(withSettings(text, kept)).toBe(withSettings('', kept) + added);
    const edited = text.replace('PORT="1065"', 'PORT=1');
    expect(withSettings(edited, kept)).toBe(withSettings('', kept) + added);
  });

  it('are printed, and those of others are not', () => {
    const shown = hideOthers(
      `KEY=secret\n${withSettings('', kept)}export B="secret"\n#C=secret\n\nsecret\n`,
    );
    expect(shown).toContain('KEY=…\n');
    expect(shown).toContain('VAULT_PATH="/v/Notes"');
    expect(shown).toMatch(/# end\n…\n#…\n\n…\n$/);
    expect(shown).not.toContain('secret');
  });
});

describe('the unit', () => {
  it.each([
    ['/usr/bin/node', '/x/vaultdoor.js', '/usr/bin/node /x/vaultdoor.js serve'],
    ['/a b/node', '/x$y/v%.js', '"/a b/node" /x$$y/v%%.js serve'],
    ['/a"b/node', '/x\\y.js', '"/a\\"b/node" "/x\\\\y.js" serve'],
  ])('starts %s %s', (node, script, words) => {
    const text = unitText({ node, script }, '/home/50%/server.env');
    expect(text).toContain(`ExecStart=${words} `);
    expect(text).toContain('EnvironmentFile=/home/50%%/server.env\n');
    expect(isOurUnit(text)).toBe(true);
  });

  it('of others is not ours', () => {
    expect(isOurUnit('[Unit]\n# Written by "vaultdoor setup --server"')).toBe(false);
  });
});
