import { filledTemplate, mapOf, meetingNote, nameOf, type Scene, type Scripts } from './script.ts';
import { asked } from './tasks.ts';

interface Hit {
  readonly p: string;
  readonly ex: string;
}

async function search({ call }: Scene, query: string, limit = 20): Promise<readonly Hit[]> {
  const { text, failed } = await call('search_notes', { query, limit });
  return failed ? [] : (JSON.parse(text) as readonly Hit[]);
}

async function list({ call }: Scene, path: string): Promise<{ dirs: string[]; files: string[] }> {
  return JSON.parse((await call('list_directory', { path })).text);
}

async function read({ call }: Scene, path: string): Promise<string> {
  const { text } = await call('read_note', { path });
  const { fm, content } = JSON.parse(text) as { fm: object; content: string };
  const block = Object.entries(fm ?? {}).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return block.length === 0 ? content : `---\n${block.join('\n')}\n---\n${content}`;
}

/** mcpvault has neither undo, nor lists of problems, nor duplicates: tasks 15, 16 and 19. */
export const mcpvaultScripts: Scripts = {
  '01': async (scene) => {
    const paths = (await search(scene, asked.topic, 3)).map(({ p }) => p);
    const { failed } = await scene.call('read_multiple_notes', { paths });
    return failed ? [] : paths;
  },
  '02': async (scene) => {
    const { dirs } = await list(scene, '/');
    const folder = dirs.find((name) => /people/i.test(name)) ?? '';
    const { files } = await list(scene, folder);
    const people = asked.meeting.people.map((name) =>
      nameOf(files.find((file) => file.startsWith(name)) ?? name),
    );
    const { properties, content } = meetingNote(people, asked.decision);
    const path = `Meetings/${asked.meeting.day} ${asked.meeting.title}.md`;
    await scene.call('write_note', { path, content, frontmatter: properties });
    return [];
  },
  '03': async (scene) => {
    const { dirs } = await list(scene, '/');
    const folder = dirs.find((name) => /daily/i.test(name)) ?? '';
    await list(scene, folder);
    const template = await read(scene, 'Templates/Daily.md');
    const content = filledTemplate(template, { title: scene.today, today: scene.today });
    await scene.call('write_note', {
      path: `${folder}/${scene.today}.md`,
      content: `${content}\n${asked.jotted}\n`,
    });
    return [];
  },
  '04': async (scene) => {
    const { from, to } = asked.project;
    await scene.call('move_note', {
      oldPath: `Projects/${from}.md`,
      newPath: `Projects/${to}.md`,
    });
    for (const { p } of await search(scene, `[[${from}`)) {
      const patch = (oldString: string, newString: string) =>
        scene.call('patch_note', { path: p, oldString, newString, replaceAll: true });
      const { failed } = await patch(`[[${from}`, `[[${to}`);
      if (failed) await patch(`[[Projects/${from}`, `[[Projects/${to}`);
    }
    return [];
  },
  '05': async (scene) => {
    const { note, from, to } = asked.heading;
    const patch = (path: string, oldString: string, newString: string) =>
      scene.call('patch_note', { path, oldString, newString });
    await patch(`${note}.md`, `# ${from}`, `# ${to}`);
    // Several words would find every note with one of them.
    const [word] = from.split(' ');
    for (const { p } of await search(scene, `${nameOf(note)}#${word}`)) {
      await patch(p, `#${from}`, `#${to}`);
    }
    return [];
  },
  '06': async (scene) => {
    const { from, to } = asked.tag;
    for (const { p } of await search(scene, `#${from}`)) {
      const args = { path: p, oldString: `#${from}`, newString: `#${to}`, replaceAll: true };
      await scene.call('patch_note', args);
    }
    return [];
  },
  '07': async (scene) => (await search(scene, '- [ ] 📅 202')).map(({ p }) => p),
  '08': async (scene) => (await search(scene, `[[${asked.linked}`)).map(({ p }) => p),
  '09': async (scene) => {
    const { note: path, heading } = asked.section;
    const { text } = await scene.call('get_note_outline', { path });
    const outline = JSON.parse(text) as { level: number; text: string; line: number }[];
    const at = outline.findIndex((row) => row.text === heading);
    const row = outline[at];
    const next = outline.slice(at + 1).find(({ level }) => level <= (row?.level ?? 0));
    const range = { startLine: (row?.line ?? 0) + 1, endLine: (next?.line ?? 0) - 1 };
    return [(await scene.call('read_note_lines', { path, ...range })).text];
  },
  '10': async (scene) => (await search(scene, asked.chinese, 5)).map(({ p }) => p),
  '11': async (scene) => {
    const { path, template } = asked.fromTemplate;
    const text = await read(scene, `Templates/${template}.md`);
    const content = filledTemplate(text, { title: nameOf(path), today: scene.today });
    await scene.call('write_note', { path: `${path}.md`, content });
    return [];
  },
  '12': async ({ call }) => {
    for (const name of asked.rated.notes) {
      const frontmatter = { rating: asked.rated.rating };
      await call('update_frontmatter', { path: `${name}.md`, frontmatter });
    }
    return [];
  },
  '13': async (scene) => {
    const { from, to } = asked.folder;
    for (const file of (await list(scene, from)).files) {
      await scene.call('move_note', { oldPath: `${from}/${file}`, newPath: `${to}/${file}` });
    }
    return [];
  },
  '14': async ({ call }) => {
    const path = `${asked.mistake}.md`;
    await call('delete_note', { path, confirmPath: path, trashMode: 'local' });
    await call('move_note', { oldPath: `.trash/${nameOf(path)}.md`, newPath: path });
    return [];
  },
  '17': async (scene) => {
    const { folder, note } = asked.map;
    const { dirs, files } = await list(scene, folder);
    const below: string[] = [];
    for (const dir of dirs) {
      const inside = await list(scene, `${folder}/${dir}`);
      below.push(...inside.files.map((file) => `${dir}/${file}`));
    }
    const notes = [...files, ...below].filter((file) => file.endsWith('.md'));
    const content = mapOf(notes.map((file) => `${folder}/${file}`));
    await scene.call('write_note', { path: `${note}.md`, content });
    return [];
  },
  '18': async ({ call }) => {
    const { text } = await call('get_vault_stats', { recentCount: 20 });
    const { recent } = JSON.parse(text) as { recent: { path: string; modified: number }[] };
    const since = Date.now() - asked.days * 24 * 60 * 60_000;
    return recent
      .filter(({ path, modified }) => path.endsWith('.md') && modified >= since)
      .map(({ path, modified }) => `${path}\t${new Date(modified).toISOString()}`);
  },
  '20': async (scene) => {
    const { length } = await search(scene, asked.misspelled);
    const without = await scene.ask('search_notes', { query: asked.spelled, limit: 20 });
    return [String(length), String((JSON.parse(without) as unknown[]).length)];
  },
};
