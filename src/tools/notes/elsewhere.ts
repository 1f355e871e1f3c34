import type { Elsewhere } from '../define/toolset.ts';

const readSection = { tool: 'read_section' };
const appendSection = { tool: 'append_section' };
const setFrontmatter = { tool: 'set_frontmatter' };
const byTag = { tool: 'search_notes', with: 'mode "tag"' };
const byName = { tool: 'search_notes', with: 'mode "name_partial"' };
const daily = { tool: 'daily_note' };
const readFile = { tool: 'read_note', with: 'name: the file of the attachment' };
const moves = { tool: 'rename_note', with: 'old_name "Note" and new_name "Folder/Note"' };
const lists = (what: string) => ({ tool: 'list_vault', with: `what "${what}"` });
const renames = (example: string) => ({ tool: 'rename_note', with: `old_name "${example}"` });

/**
 * What to use in place of tools and arguments that models try: names of the issue that asked for
 * these tools, of other programs for notes, and arguments that belong to another tool.
 */
export const notesElsewhere: Elsewhere = {
  tools: {
    add_tags: setFrontmatter,
    add_attachment: { tool: 'write_attachment' },
    append_daily_note: daily,
    backlinks: { tool: 'get_links', with: 'direction "in"' },
    complete_task: { tool: 'set_task' },
    create_folder: { tool: 'create_note', with: 'name "Folder/Name"' },
    daily_append: daily,
    edit_note: { tool: 'replace_note' },
    find_note: byName,
    find_notes: byName,
    delete_attachment: { tool: 'delete_note', with: 'name: the file of the attachment' },
    get_attachment: readFile,
    get_backlinks: { tool: 'get_links', with: 'direction "in"' },
    get_daily_note: daily,
    get_note: { tool: 'read_note' },
    get_note_outline: {
      tool: 'read_section',
      with: 'any section: where the note has none of that name, the answer lists its headings',
    },
    get_notes_info: {
      tool: 'query_notes',
      with: 'columns ["file.size","file.mtime"] and the filter file.path == "Folder/Note.md" || …',
    },
    get_tags: lists('tags'),
    get_tasks: { tool: 'list_tasks' },
    get_vault_stats: {
      tool: 'list_vault',
      with: 'what "folders", where "/" has all notes; list_notes with sort "modified" lists the latest',
    },
    list_all_tags: lists('tags'),
    list_attachments: lists('unused'),
    list_conflicts: lists('conflicts'),
    list_directory: {
      tool: 'list_notes',
      with: 'folder for the notes in it and below; list_vault with what "folders" lists folders, query_notes with the filter file.folder == "Folder" (or "/" for the root) one level',
    },
    list_files: { tool: 'list_notes' },
    list_folders: lists('folders'),
    list_tags: lists('tags'),
    manage_tags: [
      {
        tool: 'set_frontmatter',
        with: 'key "tags" and the whole new list as value; first read the list that is there with get_frontmatter (query_notes with columns ["file.tags"] has the tags in the text, too)',
      },
      { tool: 'query_notes', with: 'columns ["file.tags"] and the filter file.path == "Note.md"' },
    ],
    move_attachment: renames('photo.png'),
    move_folder: renames('Folder/'),
    move_file: moves,
    move_note: moves,
    overwrite_note: { tool: 'update_note' },
    patch_note: { tool: 'replace_note', with: 'old_text and new_text' },
    read_attachment: readFile,
    read_image: readFile,
    read_pdf: readFile,
    read_daily_note: daily,
    read_multiple_notes: { tool: 'read_note', with: 'names' },
    read_note_lines: { tool: 'read_note', with: 'offset (lines to skip) and limit' },
    read_notes: { tool: 'read_note', with: 'names' },
    recent_notes: { tool: 'list_notes', with: 'sort "modified"' },
    query_base: { tool: 'query_notes', with: 'base' },
    rename_attachment: renames('photo.png'),
    rename_heading: renames('Note#Heading'),
    rename_tag: renames('#tag'),
    resolve_conflict: { tool: 'merge_conflict' },
    search_by_tag: byTag,
    set_property: setFrontmatter,
    set_properties: { tool: 'set_frontmatter', with: 'names and properties {…}' },
    update_frontmatter: { tool: 'set_frontmatter', with: 'name and properties {…}' },
    vault_problems: { tool: 'list_vault' },
    view_image: readFile,
    view_note: { tool: 'read_note' },
    wiki_link: { tool: 'read_note', with: 'name: what stands between [[ and ]]' },
    write_note: {
      tool: 'create_note',
      with: 'name and content; where the note exists, update_note overwrites its text, append_note adds at the end, and insert_note with before prepends',
    },
  },
  arguments: {
    search_notes: {
      tag: 'use mode "tag", or tag: in query',
      tags: 'use mode "tag", or tag: in query',
      property: 'write [property:value] in query',
      properties: 'write [property:value] in query',
      frontmatter: 'write [property:value] in query',
      regex: 'write /regex/ in query',
      case_sensitive: 'write match-case: in query',
      sort: { tool: 'list_notes' },
      since: { tool: 'list_notes', with: 'sort "modified"' },
    },
    list_notes: {
      query: { tool: 'search_notes' },
      name: byName,
      tag: byTag,
      tags: byTag,
      recursive: 'folders inside are always included',
    },
    query_notes: {
      where: 'use filter',
      query: 'use filter',
      from: 'write file.inFolder("Folder") or file.hasTag("tag") in filter',
      order: 'use sort',
      orderby: 'use sort',
      order_by: 'use sort',
    },
    read_note: {
      section: readSection,
      heading: readSection,
      header: readSection,
      startline: 'use offset, the lines to skip: startLine 1 is offset 0',
      endline: 'use limit, how many lines',
    },
    get_frontmatter: {
      key: 'it answers all properties of the note',
      property: 'it answers all properties of the note',
    },
    create_note: {
      tags: 'give them in frontmatter: {"tags":["a"]}',
      folder: 'give it in name: "Folder/Name"',
      overwrite: { tool: 'update_note' },
      mode: {
        tool: 'update_note',
        with: 'content to replace the text; append_note adds at the end',
      },
    },
    append_note: {
      section: appendSection,
      heading: appendSection,
      line: { tool: 'insert_note' },
      frontmatter: setFrontmatter,
      properties: setFrontmatter,
    },
    insert_note: {
      section: appendSection,
      heading: appendSection,
      line: 'give the text that stands there in before or after',
      position: 'give the text that stands there in before or after',
    },
    replace_note: {
      regex: 'old_text is always exact text',
      section: 'give more of the text around it in old_text',
      key: setFrontmatter,
      property: setFrontmatter,
    },
    update_note: {
      section: { tool: 'replace_note' },
      frontmatter: setFrontmatter,
      properties: setFrontmatter,
      tags: setFrontmatter,
    },
    set_frontmatter: { frontmatter: 'use properties' },
    rename_note: {
      folder: 'give it in new_name: "Folder/"',
      new_folder: 'give it in new_name: "Folder/"',
    },
    delete_note: {
      permanent: 'notes always go to .trash',
    },
    merge_conflict: { version: 'give the token that was shown', side: 'use "choose"' },
    undo_change: { name: { tool: 'list_changes', with: 'name' } },
  },
  ignores: isHabitOfMcpvault,
};

/**
 * Whether it is an argument of mcpvault's tool of this name with a value that changes nothing here; a
 * text says what to do about another value.
 */
function isHabitOfMcpvault(
  tool: string,
  argument: string,
  args: Readonly<Record<string, unknown>>,
): boolean | string {
  const value = args[argument];
  if (argument === 'prettyPrint') return true;
  switch (`${tool} ${argument}`) {
    case 'search_notes searchContent':
      return (
        value === true ||
        args['mode'] === 'name_partial' ||
        'only true is possible; for names alone use mode "name_partial", for properties write [property:value] in query'
      );
    case 'search_notes searchFrontmatter':
      return (
        value === true || 'only true is possible: properties are always searched; leave it out'
      );
    case 'read_note includeContent':
      return value === true || 'only true is possible; for properties alone use get_frontmatter';
    case 'read_note includeFrontmatter':
      return value === true || 'only true is possible: the text has its properties';
    case 'update_note mode':
      return value === 'overwrite' || 'only "overwrite" is possible; append_note adds at the end';
    case 'append_note mode':
      return value === 'append' || 'only "append" is possible; update_note overwrites the text';
    case 'search_notes caseSensitive':
      return value === false || 'only false is possible; write match-case: in query';
    case 'search_notes excludePaths':
      return (
        (Array.isArray(value) && value.length === 0) ||
        'it must be empty; write -path:"Folder" in query'
      );
    case 'delete_note confirmPath': {
      const given = args['path'] === undefined ? 'name' : 'path';
      return value === args[given] || `it differs from "${given}"; leave it out, or correct it`;
    }
    case 'delete_note trashMode':
      return value === 'local' || 'only "local" is possible: notes always go to .trash';
    case 'set_frontmatter merge':
      return (
        value === true ||
        'only true is possible: other properties always stay; to remove one, set it to null'
      );
    case 'rename_note overwrite':
      return (
        value === false ||
        'only false is possible: no file is replaced; give another new_name, or use delete_note first'
      );
    default:
      return false;
  }
}
