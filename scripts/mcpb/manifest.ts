import { limits } from '../../src/base/limits.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';

/** The fields of package.json that the bundle needs. */
export interface PackageFacts {
  readonly version: string;
  readonly license: string;
}

/** The `manifest.json` of the MCPB bundle: what it is, how it is started, and its settings. */
export function mcpbManifest({ version, license }: PackageFacts) {
  return {
    manifest_version: '0.3',
    name: 'vaultdoor',
    display_name: 'Vaultdoor',
    version,
    description: 'Reads, searches and edits the notes of your Obsidian vaults.',
    long_description: longDescription,
    author: { name: 'The Vaultdoor authors' },
    license,
    keywords: ['obsidian', 'notes', 'markdown', 'vault'],
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/start.mjs',
      mcp_config: {
        command: 'node',
        // Several folders become several arguments, so they come last.
        args: [
          `\${__dirname}/server/start.mjs`,
          'stdio',
          '--wait-for-vault',
          '--',
          answer('vaults'),
        ],
        // These are variables and not arguments, because an argument could not be left out when a
        // switch is off or a field is empty.
        env: {
          VAULTDOOR_CLI_TOOLS: answer('cli_tools'),
          VAULTDOOR_READ_ONLY: answer('read_only'),
          VAULTDOOR_ASK_NEW_TAGS: answer('ask_new_tags'),
          VAULTDOOR_HIDE: answer('private_folders'),
        },
      },
    },
    tools: bundledToolsets().flatMap(({ tools }) =>
      tools.map((tool) => ({ name: tool.name, description: tool.description })),
    ),
    tools_generated: true, // The settings decide which of the tools are offered.
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: '>=22.16.0' },
    },
    user_config: questions,
  };
}

/** The toolsets that the bundle can serve. */
function bundledToolsets(): readonly Toolset[] {
  const { contextEveryMs } = limits;
  return [notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs }), obsidianToolset()];
}

const questions = {
  vaults: {
    type: 'directory',
    title: 'Vaults',
    description: 'The folders of your Obsidian vaults. Each of them contains a folder ".obsidian".',
    multiple: true,
    required: true,
  },
  read_only: {
    type: 'boolean',
    title: 'Read-only',
    description: 'Claude can read your notes but cannot change them.',
    default: false,
    required: false,
  },
  ask_new_tags: {
    type: 'boolean',
    title: 'Ask before new tags',
    description: 'Claude uses a tag that the vault does not have yet only if you agree.',
    default: true,
    required: false,
  },
  private_folders: {
    type: 'string',
    title: 'Private folders',
    description:
      'Folders and files that Claude cannot see, separated by commas: Private, Journal/2020, *.secret.md',
    default: '',
    required: false,
  },
  cli_tools: {
    type: 'boolean',
    title: 'CLI-style tools',
    description:
      'Offer tools that work like the commands of Obsidian itself (obsidian_…) instead of the usual ones.',
    default: false,
    required: false,
  },
} as const;

const longDescription = `Reads and edits the notes of your Obsidian vaults, with or without the app.

- Links, tags and properties are read as Obsidian reads them. When a note is renamed, all links to it are updated.
- Every change is made completely or not at all, and can be undone.
- Only what Claude asks for leaves your computer. No other files are added to your vault.`;

/** The placeholder that clients replace with the value of a setting. */
function answer(question: keyof typeof questions): string {
  return `\${user_config.${question}}`;
}
