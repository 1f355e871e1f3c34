import { filledTemplate, mapOf, meetingNote, nameOf, type Scene, type Scripts } from './script.ts';
import { asked } from './tasks.ts';

interface Match {
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
}

/** The JSON of an answer, which stands below a line of words. */
function parsed<T>(text: string): T {
  return JSON.parse(text.slice(text.indexOf('{'))) as T;
}

/** All matches of a search, page by page. */
async function search(
  { call }: Pick<Scene, 'call'>,
  query: string,
  options: { readonly mode?: string; readonly limit?: number } = {},
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  for (let cursor: string | undefined; ; ) {
    const { text, failed } = await call('obsidian_search_vault', {
      query,
      ...options,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (failed) return matches;
    const page = parsed<{ matches: Match[]; next_cursor?: string }>(text);
    matches.push(...page.matches);
    cursor = page.next_cursor;
    if (cursor === undefined || options.limit !== undefined) return matches;
  }
}

async function read({ call }: Scene, path: string): Promise<string> {
  const { text } = await call('obsidian_read_note', { path });
  return parsed<{ content: string }>(text).content;
}

async function change(scene: Scene, path: string, edit: (text: string) => string): Promise<void> {
  const content = edit(await read(scene, path));
  await scene.call('obsidian_edit_note', { path, operation: 'replace', content });
}

const pathsOf = (matches: readonly Match[]): string[] => [
  ...new Set(matches.map(({ path }) => path)),
];

/** obsidian-mcp has neither undo, nor times, nor lists of problems: tasks 15, 16, 18 and 19. */
export const obsidianMcpScripts: Scripts = {
  '01': async (scene) => {
    // Every other tool needs the id of a vault.
    await scene.call('obsidian_list_vaults', {});
    const paths = pathsOf(await search(scene, asked.topic, { limit: 3 }));
    for (const path of paths) await read(scene, path);
    return paths;
  },
  '02': async (scene) => {
    const people: string[] = [];
    for (const name of asked.meeting.people) {
      const [match] = await search(scene, name, { mode: 'filename' });
      people.push(nameOf(match?.path ?? name));
    }
    const { properties, content } = meetingNote(people, asked.decision);
    const block = `attendees:\n${properties.attendees.map((link) => `  - "${link}"\n`).join('')}tags:\n  - meeting\n`;
    await scene.call('obsidian_create_note', {
      path: `Meetings/${asked.meeting.day} ${asked.meeting.title}.md`,
      content: `---\n${block}---\n${content}`,
    });
    return [];
  },
  '03': async (scene) => {
    const { today } = scene;
    const found = pathsOf(await search(scene, 'Daily', { mode: 'filename' }));
    const template = await read(scene, found.find((path) => /template/i.test(path)) ?? '');
    const [day = ''] = found.filter((path) => /\d{4}-\d\d-\d\d\.md$/.test(path));
    await scene.call('obsidian_create_note', {
      path: day.replace(/\d{4}-\d\d-\d\d/, today),
      content: `${filledTemplate(template, { title: today, today })}\n${asked.jotted}\n`,
    });
    return [];
  },
  '04': async ({ call }) => {
    const { from, to } = asked.project;
    const paths = { source: `Projects/${from}.md`, destination: `Projects/${to}.md` };
    await call('obsidian_move_note', paths);
    return [];
  },
  '05': async (scene) => {
    const { note, from, to } = asked.heading;
    await change(scene, `${note}.md`, (text) => text.replace(`# ${from}`, `# ${to}`));
    for (const path of pathsOf(await search(scene, `#${from}`))) {
      await change(scene, path, (text) => text.replaceAll(`#${from}`, `#${to}`));
    }
    return [];
  },
  '06': async ({ call }) => {
    const { from, to } = asked.tag;
    const args = { old_tag: from, new_tag: to, include_children: true };
    await call('obsidian_rename_tag', args);
    return [];
  },
  '07': async (scene) => {
    const lines = [...(await search(scene, '📅')), ...(await search(scene, 'due::'))];
    return lines.flatMap(({ path, line, snippet }) => {
      const [, status = 'x'] = /^[\s>]*(?:[-*+]|\d+[.)])\s+\[(.)\]/u.exec(snippet) ?? [];
      const [, day = '9'] = /(?:📅|due::)\s*(\d{4}-\d\d-\d\d)/u.exec(snippet) ?? [];
      const isDate = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
      return isDate && status === ' ' && day < asked.dueBefore ? [`${path}:${line}`] : [];
    });
  },
  '08': async (scene) => {
    const matches = await search(scene, `[[${asked.linked}`);
    const link = new RegExp(`\\[\\[${asked.linked}(?=[\\]|#\\\\])`, 'i');
    return pathsOf(matches.filter(({ snippet }) => link.test(snippet)));
  },
  '09': async (scene) => {
    const { note, heading } = asked.section;
    const text = await read(scene, note);
    const [, section = ''] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^##? `, 'm').exec(text) ?? [];
    return [section];
  },
  '10': async (scene) => pathsOf(await search(scene, asked.chinese, { limit: 5 })),
  '11': async (scene) => {
    const { path, template } = asked.fromTemplate;
    const text = await read(scene, `Templates/${template}.md`);
    const content = filledTemplate(text, { title: nameOf(path), today: scene.today });
    await scene.call('obsidian_create_note', { path: `${path}.md`, content });
    return [];
  },
  '12': async (scene) => {
    for (const name of asked.rated.notes) {
      await change(scene, `${name}.md`, (text) =>
        text.replace(/^rating:.*$/m, `rating: ${asked.rated.rating}`),
      );
    }
    return [];
  },
  '13': async (scene) => {
    const { from, to } = asked.folder;
    const found = await search(scene, `${from}/`, { mode: 'filename' });
    for (const path of pathsOf(found)) {
      const destination = to + path.slice(from.length);
      await scene.call('obsidian_move_note', { source: path, destination });
    }
    return [];
  },
  '17': async (scene) => {
    const { folder, note } = asked.map;
    const found = pathsOf(await search(scene, `${folder}/`, { mode: 'filename' }));
    await scene.call('obsidian_create_note', {
      path: `${note}.md`,
      content: mapOf(found),
    });
    return [];
  },
  '20': async (scene) => {
    const { length } = pathsOf(await search(scene, asked.misspelled));
    let without = 0;
    const ask = async (tool: string, args: object) => ({
      text: await scene.ask(tool, args),
      failed: false,
    });
    without = pathsOf(await search({ call: ask }, asked.spelled)).length;
    return [String(length), String(without)];
  },
};
