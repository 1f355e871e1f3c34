// Signs in as claude.ai does, with what the consent page proposes, and does what people ask for on an
// ordinary day.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../outside-programs.mjs';
import { SdkConnector } from './sdk-connector.mjs';

/** Does it, and looks at the files afterwards. */
export async function tryOrdinaryDay({ server, owner }) {
  const claude = new SdkConnector({
    url: server.url,
    owner,
    clientMetadataUrl: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    redirectUrl: 'https://claude.ai/api/mcp/auth_callback',
  });
  await claude.signIn();
  const tools = await claude.tools();
  const isNotes = ['rename_note', 'daily_note', 'list_tasks'].every((name) => tools.includes(name));
  check('claude.ai: gets the tools for notes', isNotes && !tools.includes('note_upsert'), tools);
  check('claude.ai: may not delete', !tools.includes('delete_note'), tools);

  const names = { old_name: 'Bike shed', new_name: 'Bicycle shed' };
  const renamed = await claude.call('rename_note', names);
  const isRenamed = existsSync(join(server.vault, 'Projects', 'Bicycle shed.md'));
  check('claude.ai: renames a note', isRenamed, renamed);
  const daily = await claude.call('daily_note', { text: 'Said from claude.ai.' });
  const [path] = /Daily\/[\d-]+\.md/.exec(daily) ?? [''];
  const isSaid = readFileSync(join(server.vault, path), 'utf8').includes('Said from claude.ai.');
  check('claude.ai: appends to the daily note', isSaid, daily);
  const tasks = await claude.call('list_tasks', {});
  check('claude.ai: lists tasks', /"total":[1-9]/.test(tasks) || tasks.includes('[ ]'), tasks);

  const history = await server.command(['history', '--json', '--vault', server.vault]);
  const { stdout } = await server.command(['connections', 'list', '--json']);
  const grants = JSON.parse(stdout).connections.filter(({ client }) => client.name === 'Claude');
  const named = grants.filter(({ id }) => history.stdout.includes(id));
  check('claude.ai: history names the client and the connection', named.length === 1, history);
  await claude.stop();
}
