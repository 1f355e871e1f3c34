// The blocks of a page that a reader types, and whether a program prints what such a block shows.

const blockPattern =
  /(?:<!-- (?<note>not run by test:readme|typed): (?<said>[^\n]+) -->\n)?```(?<language>\w*)\n(?<text>.*?)^```$/gms;

/**
 * The blocks of a page: those with commands (they begin with "$ ", or are called "sh" and have
 * nothing but commands), and those with the JSON of a client's configuration. A comment above a block says why it is not run (`reason`), or what the
 * reader answers when its command asks in a terminal (`typed`).
 */
export function blocksOf(page) {
  const blocks = [...page.matchAll(blockPattern)].map(({ index, groups }) => {
    const { note, said, language, text } = groups;
    return {
      language,
      text,
      line: page.slice(0, index).split('\n').length,
      reason: note === 'not run by test:readme' ? said : undefined,
      typed: note === 'typed' ? JSON.parse(`[${said}]`) : undefined,
    };
  });
  const fences = page.match(/^```/gm) ?? [];
  if (fences.length !== 2 * blocks.length) throw new Error('A block has no end.');
  return blocks.filter(({ language, text }) => language !== '' || text.startsWith('$ '));
}

/** The commands of a block, and the output that the block shows for each. */
export function commandsIn({ text, language }) {
  if (language === 'sh') {
    return text
      .trimEnd()
      .split('\n')
      .map((command) => ({ command, output: '' }));
  }
  const commands = [];
  let isContinued = false;
  for (const line of text.split('\n').slice(0, -1)) {
    const last = commands.at(-1);
    const command = line.slice(2).replace(/\s+#[^'"]*$/, ''); // Without its comment.
    if (line.startsWith('$ ')) commands.push({ command, output: '' });
    else if (isContinued) last.command += `\n${line}`;
    else last.output += `${line}\n`;
    isContinued = line.endsWith('\\');
  }
  return commands;
}

/**
 * Whether a program has printed what a page shows. "…" stands for any text in its line, and on a line
 * of its own for any number of lines. A page that shows nothing leaves the output out.
 */
export function fits(printed, shown) {
  if (shown === '') return true;
  const pattern = shown
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/^…\n/gm, '(?:.*\\n)*?')
    .replaceAll('…', '.*');
  return new RegExp(`^${pattern}$`).test(printed);
}
