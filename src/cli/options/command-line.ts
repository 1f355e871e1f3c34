/** Whether one of these flags is given. Arguments after `--` are not flags. */
export function hasFlag(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => flags.includes(word));
}

/**
 * Splits a command line into the command's name and the rest. A name has two words if `names` has
 * them, such as `tag add`. The flags that every command has (`--vault`, `--allow-root`, `--json`) may
 * come before the name or between its words; they are put at the beginning of `rest`. The name is
 * absent when there are only such flags.
 */
export function splitCommand(
  argv: readonly string[],
  names: readonly string[],
): { name?: string; rest: readonly string[] } {
  const before: string[] = [];
  let name: string | undefined;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--vault' || word === '--allow-root') before.push(word, argv[++i] ?? '');
    else if (/^--(json$|vault=|allow-root=)/.test(word)) before.push(word);
    else if (name === undefined) name = word;
    else if (names.includes(`${name} ${word}`)) name = `${name} ${word}`;
    else return { name, rest: [...before, ...argv.slice(i)] };
  }
  return { ...(name === undefined ? {} : { name }), rest: before };
}
