import { describe, expect, it } from 'vitest';
import { checkStdioFlags } from './check-stdio-flags.ts';

describe('flags for "vaultdoor stdio" in a configuration', () => {
  it.each<[readonly string[]]>([
    [[]],
    [['--read-only', '--tools', 'notes']],
    [['--tools', 'obsidian', '--timeout', 'obsidian_search=60']],
    [['--tools=notes,obsidian', '--timeout', 'search_notes=60', '--wait-for-vault']],
    [['--allow-root', '/mnt/pictures']],
    [['--tools', 'agent', '--adr-repo', '/code']],
  ])('%j may be written', async (flags) => {
    await expect(checkStdioFlags(flags)).resolves.toBeUndefined();
  });

  it.each<[readonly string[], string]>([
    [['--vault', '/a'], 'Give --vault before "--".'],
    [['--', '/a'], 'Give --vault before "--".'],
    [['--allow-root', 'pictures'], 'Give "--allow-root pictures" as an absolute path.'],
    [['--tools', 'agent', '--adr-repo', 'code'], 'Give "--adr-repo code" as an absolute path.'],
    [['--timeout', 'obsidian_search=60'], '"--timeout" names "obsidian_search"'],
    [['--tools', 'obsidian', '--timeout', 'read_note=60'], '"--timeout" names "read_note"'],
    [['--no-history-tools', '--timeout', 'undo_change=9'], '"--timeout" names "undo_change"'],
    [['--tools', 'frob'], '"--tools" takes notes, obsidian'],
  ])('%j are refused', async (flags, message) => {
    await expect(checkStdioFlags(flags)).rejects.toThrow(message);
  });
});
