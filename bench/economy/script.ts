import type { Said } from './session.ts';
import type { Told } from './tasks.ts';

/** What the script of a task works with. */
export interface Scene {
  /** Makes a call in the vault of the task. */
  readonly call: (tool: string, args: object) => Promise<Said>;
  /** A call that only checks an answer, and is not counted. */
  readonly ask: (tool: string, args: object) => Promise<string>;
  readonly today: string;
}

/**
 * The calls that a model would make for a task, and what it would then tell. A script may use the
 * words of the person (`asked`) and what earlier answers of the same program said, nothing else.
 */
export type Script = (scene: Scene) => Promise<Told>;

/** The scripts of a program by the number of the task; without one, it has no tools for the task. */
export type Scripts = Readonly<Record<string, Script>>;

/** What a model fills into a template by hand: only programs without templates need this. */
export function filledTemplate(template: string, values: { title: string; today: string }): string {
  const { title, today } = values;
  const day = new Date(`${today}T12:00:00`);
  const long = day.toLocaleDateString('en-GB', { dateStyle: 'full' }).replace(/ (\d+ )/, ', $1');
  return template
    .replaceAll('{{title}}', title)
    .replaceAll('{{date:dddd, D MMMM YYYY}}', long.replace(',,', ','))
    .replaceAll(/\{\{date(?::YYYY-MM-DD)?\}\}/g, today)
    .replaceAll('{{time:HH:mm:ss}}', '12:00:00');
}

/** The meeting note as every program writes it. */
export function meetingNote(people: readonly string[], decision: string) {
  return {
    properties: { attendees: people.map((name) => `[[${name}]]`), tags: ['meeting'] },
    content: `# Budget review\n\n## Decisions\n\n- ${decision}\n`,
  };
}

/**
 * The lines of a map of content: a link to each note, with its name as the text that is shown. Links
 * go by the path where a path is known, because another note may have the same name.
 */
export function mapOf(names: readonly string[]): string {
  const links = names.map((name) => {
    const path = name.replace(/\.md$/, '');
    return path.includes('/') ? `${path}|${nameOf(path)}` : path;
  });
  return links.map((link) => `- [[${link}]]`).join('\n');
}

/** The name of a note without folder and extension. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}
