import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A probe: a note that questions are about. Its links and words are the same in every vault. */
export interface Probe {
  readonly path: string;
  readonly name: string;
  /** A word that no other note has. In the text, it is followed by `beside`. */
  readonly word: string;
  readonly beside: string;
  readonly alias: string;
  readonly tag: string;
}

/** How many notes link to each probe. Each of them links to it once. */
export const referring = 20;

const letters = 'bcdfghjklmnpqrstvwxz';

/** Adds probes to a generated vault. They have the same links, tags and words in every vault. */
export function writeProbes(folder: string, count: number): Probe[] {
  const probes = Array.from({ length: count }, (_, number) => probeOf(number));
  mkdirSync(join(folder, 'Probes', 'Referring'), { recursive: true });
  probes.forEach((probe, number) => {
    const others = [1, 2, 3, 4, 5].map((step) => probes[(number + step) % count] ?? probe);
    writeFileSync(join(folder, probe.path), probeText(probe, others));
  });
  for (let number = 1; number <= referring; number++) {
    const links = probes.map(({ name }) => `- [[${name}]]`).join('\n');
    writeFileSync(
      join(folder, 'Probes', 'Referring', `Refers ${number}.md`),
      `# All\n\n${links}\n`,
    );
  }
  return probes;
}

function probeOf(number: number): Probe {
  // No word of the generated vocabularies begins like this.
  const own = `${letters[Math.floor(number / letters.length)]}${letters[number % letters.length]}`;
  return {
    path: `Probes/Xq${own} probe.md`,
    name: `Xq${own} probe`,
    word: `xqzw${own}qlantern`,
    beside: `xqzv${own}qharbour`,
    alias: `Xqy${own} by another name`,
    tag: `xqprobe/${own}`,
  };
}

function probeText({ name, word, beside, alias, tag }: Probe, others: readonly Probe[]): string {
  const head = `---\naliases:\n  - ${alias}\ntags:\n  - ${tag}\nstate: open\n---\n`;
  const links = others.map((other) => `[[${other.name}]]`).join(', ');
  const sections = ['First', 'Second', 'Third'].map((title) => `## ${title}\n\nSome text.\n`);
  return `${head}# ${name}\n\nA ${word} ${beside} at night.\n\n- [ ] Look at ${links}\n\n${sections.join('\n')}`;
}
