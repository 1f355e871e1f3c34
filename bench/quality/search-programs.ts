import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { QualityQuery } from './read-queries.ts';
import { resultsMax } from './score-answers.ts';

/** A program that searches a vault, and how it is called. */
export interface SearchProgram {
  readonly name: string;
  /** The arguments of `node` that start the program as a server over stdio. */
  words(folder: string): readonly string[];
  readonly tool: string;
  arguments(query: QualityQuery): Readonly<Record<string, unknown>>;
  /** The paths in an answer, best first; undefined if the answer says to ask again later. */
  paths(text: string): readonly string[] | undefined;
}

export const vaultdoor: SearchProgram = {
  name: 'vaultdoor',
  words: (folder) => {
    const program = fileURLToPath(new URL('../../dist/vaultdoor.js', import.meta.url));
    return [program, 'stdio', '--tools', 'obsidian', '--vault', folder];
  },
  tool: 'obsidian_search',
  arguments: ({ text }) => ({ query: text, limit: resultsMax }),
  paths: (text) => {
    const { data } = JSON.parse(text) as { data: { files?: string[]; incomplete?: string } };
    if (data.files === undefined) throw new Error(`The answer has no list of files: ${text}`);
    return data.incomplete === undefined ? data.files : undefined;
  },
};

const peer = { name: '@bitbonsai/mcpvault', version: '0.16.0' };

/**
 * Installs the peer with the best search, and calls it in the way that gives its best results: in
 * text and properties, ignoring case. It does not know phrases, and would search for the quotation
 * marks themselves. But it scores the query as a whole in addition to its words, so a phrase is
 * found best by its words without the quotation marks.
 */
export async function installMcpvault(): Promise<SearchProgram> {
  const url = new URL('../../scripts/outside-programs.mjs', import.meta.url).href;
  const { installed } = (await import(url)) as {
    installed(name: string, version: string): Promise<string>;
  };
  const program = join(await installed(peer.name, peer.version), peer.name, 'dist', 'server.js');
  return {
    name: 'mcpvault',
    words: (folder) => [program, folder],
    tool: 'search_notes',
    arguments: ({ text }) => ({
      query: text.replaceAll('"', ''),
      limit: resultsMax,
      searchContent: true,
      searchFrontmatter: true,
      caseSensitive: false,
    }),
    paths: (text) => (JSON.parse(text) as { p: string }[]).map(({ p }) => p),
  };
}

/**
 * Asks a program all queries one after the other. A failed query is reported and has no results.
 */
export async function askProgram(
  program: SearchProgram,
  request: {
    readonly folder: string;
    readonly queries: readonly QualityQuery[];
    /** The folder for the program's caches and state. */
    readonly home: string;
    readonly onFailure: (query: QualityQuery, failure: unknown) => void;
  },
): Promise<readonly (readonly string[])[]> {
  const { folder, queries, home, onFailure } = request;
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...program.words(folder)],
      env: { ...inherited(), HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home },
      stderr: 'ignore',
    }),
  );
  try {
    const answers: (readonly string[])[] = [];
    for (const query of queries) {
      try {
        answers.push(await ask(client, program, query));
      } catch (failure) {
        onFailure(query, failure);
        answers.push([]);
      }
    }
    return answers;
  } finally {
    await client.close();
  }
}

async function ask(
  client: Client,
  program: SearchProgram,
  query: QualityQuery,
): Promise<readonly string[]> {
  const call = { name: program.tool, arguments: program.arguments(query) };
  for (let tries = 0; tries < 600; tries++) {
    const { content, isError } = await client.callTool(call, { timeout: 120_000 });
    const text = content.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
    if (isError === true) throw new Error(text);
    const paths = program.paths(text);
    if (paths !== undefined) return paths;
    await setTimeout(100);
  }
  throw new Error('The program keeps asking to be called again later.');
}

/** The environment of this process, without variables that are not set. */
function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
