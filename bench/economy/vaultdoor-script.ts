import { mapOf, meetingNote, nameOf, type Scene, type Scripts } from './script.ts';
import { asked } from './tasks.ts';

/** The JSON of an answer: its first line. The first answer of a connection ends with auto-context. */
function parsed<T>(text: string): T {
  return JSON.parse(text.split('\n', 1)[0] ?? '') as T;
}

interface Found {
  readonly total: number;
  readonly hits: readonly { readonly path: string }[];
}

async function search({ call }: Scene, args: object): Promise<Found> {
  return parsed((await call('search_notes', args)).text);
}

/** All pages of a list. */
async function pages<T>({ call }: Scene, tool: string, args: object): Promise<readonly T[]> {
  const all: T[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { text, failed } = await call(tool, offset === 0 ? args : { ...args, offset });
    if (failed) throw new Error(text);
    const page: T & { readonly next_offset?: number } = parsed(text);
    all.push(page);
    offset = page.next_offset;
  }
  return all;
}

/** The calls for the toolset `notes`. */
export const vaultdoorScripts: Scripts = {
  '01': async (scene) => {
    const { hits } = await search(scene, { query: asked.topic, limit: 3 });
    const names = hits.map(({ path }) => path);
    const { failed } = await scene.call('read_note', { names });
    return failed ? [] : names;
  },
  '02': async (scene) => {
    const query = asked.meeting.people.map((name) => `file:${name}`).join(' OR ');
    const { hits } = await search(scene, { query });
    const people = asked.meeting.people.map((name) => {
      const found = hits.find(({ path }) => nameOf(path).startsWith(name));
      return nameOf(found?.path ?? name);
    });
    const { properties, content } = meetingNote(people, asked.decision);
    const name = `Meetings/${asked.meeting.day} ${asked.meeting.title}`;
    await scene.call('create_note', { name, content, frontmatter: JSON.stringify(properties) });
    return [];
  },
  '03': async ({ call }) => {
    await call('daily_note', { text: asked.jotted });
    return [];
  },
  '04': async ({ call }) => {
    await call('rename_note', { old_name: asked.project.from, new_name: asked.project.to });
    return [];
  },
  '05': async ({ call }) => {
    const { note, from, to } = asked.heading;
    await call('rename_note', { old_name: `${note}#${from}`, new_name: to });
    return [];
  },
  '06': async ({ call }) => {
    const { from, to } = asked.tag;
    await call('rename_note', { old_name: `#${from}`, new_name: `#${to}` });
    return [];
  },
  '07': async (scene) => {
    type Page = { readonly tasks: Readonly<Record<string, readonly string[]>> };
    const listed = await pages<Page>(scene, 'list_tasks', { due: `<${asked.dueBefore}` });
    return listed.flatMap(({ tasks }) =>
      Object.entries(tasks).flatMap(([path, rows]) =>
        rows.map((row) => `${path}:${row.slice(0, row.indexOf(':'))}`),
      ),
    );
  },
  '08': async (scene) => {
    type Page = { readonly incoming: Readonly<Record<string, unknown>> };
    const args = { name: asked.linked, direction: 'in' };
    const listed = await pages<Page>(scene, 'get_links', args);
    return [...new Set(listed.flatMap(({ incoming }) => Object.keys(incoming)))];
  },
  '09': async ({ call }) => {
    const { note, heading } = asked.section;
    return [(await call('read_section', { name: note, section: heading })).text];
  },
  '10': async (scene) => {
    const { hits } = await search(scene, { query: asked.chinese, limit: 5 });
    return hits.map(({ path }) => path);
  },
  '11': async ({ call }) => {
    const { path, template } = asked.fromTemplate;
    await call('create_note', { name: path, template });
    return [];
  },
  '12': async ({ call }) => {
    const { notes, rating } = asked.rated;
    await call('set_frontmatter', { names: notes, properties: { rating } });
    return [];
  },
  '13': async ({ call }) => {
    const { from, to } = asked.folder;
    await call('rename_note', { old_name: `${from}/`, new_name: `${to}/` });
    return [];
  },
  '14': async ({ call }) => {
    await call('delete_note', { name: asked.mistake });
    await call('undo_change', {});
    return [];
  },
  '15': async (scene) => {
    type Page = { readonly notes: Readonly<Record<string, readonly string[]>> };
    const listed = await pages<Page>(scene, 'list_vault', { what: 'orphans' });
    return listed.flatMap(({ notes }) =>
      Object.entries(notes).flatMap(([folder, names]) =>
        names.map((name) => (folder === '' ? name : `${folder}/${name}`)),
      ),
    );
  },
  '16': async (scene) => {
    type Page = { readonly groups: readonly { readonly notes: readonly string[] }[] };
    const listed = await pages<Page>(scene, 'list_vault', { what: 'duplicates' });
    return listed.flatMap(({ groups }) => groups.map(({ notes }) => notes.join('\n')));
  },
  '17': async (scene) => {
    type Page = { readonly notes: readonly string[] };
    const { folder, note } = asked.map;
    const listed = await pages<Page>(scene, 'list_notes', { folder });
    const content = mapOf(listed.flatMap(({ notes }) => notes));
    await scene.call('create_note', { name: note, content });
    return [];
  },
  '18': async (scene) => {
    type Page = { readonly zone: string; readonly notes: readonly (readonly [string, string])[] };
    const listed = await pages<Page>(scene, 'list_notes', { since: `${asked.days}d` });
    return listed.flatMap(({ zone, notes }) =>
      notes.map(([name, time]) => `${name}\t${time}${zone}`),
    );
  },
  '19': async (scene) => {
    type Row = { readonly link: string; readonly at: readonly string[] };
    const listed = await pages<{ readonly links: readonly Row[] }>(scene, 'list_vault', {
      what: 'broken_links',
    });
    return listed.flatMap(({ links }) =>
      links.flatMap(({ link, at }) => at.map((place) => `${place.replace(/:\d+$/, '')}\t${link}`)),
    );
  },
  '20': async (scene) => {
    const { total } = await search(scene, { query: asked.misspelled });
    const without = await scene.ask('search_notes', { query: asked.spelled });
    return [String(total), String(parsed<Found>(without).total)];
  },
};
