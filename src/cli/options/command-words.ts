/** Whether a flag is given; what stands behind `--` is no flag. */
export function hasFlag(argv: readonly string[], ...flags: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => flags.includes(word));
}

/**
 * The command's name, which may have two words, and what follows it; the flags of every command
 * may stand before it and between.
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
