// `vaultdoor undo` without arguments at a terminal: it shows the last change and asks, alone and where
// a running server does the command.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { soundHome } from '../broken-environments.mjs';
import { check, startServer } from '../outside-programs.mjs';
import { enter, piped, typed } from './typed.mjs';

export async function undoLast() {
  for (const by of ['alone', 'server']) {
    const place = await soundHome(`undo-${by}`);
    const words = place.words('serve', '--vault', place.vault, '--port', String(place.port));
    const server = by === 'server' ? await startServer(words, place.env) : undefined;
    const note = join(place.vault, 'Notes', 'Swifts.md');
    const before = readFileSync(note, 'utf8');
    await piped(place, 'append', 'Swifts', 'One more.', '--vault', place.vault);
    const undo = ['undo', '--vault', place.vault];
    const asks = /Change 1, just now, by you: Added to Swifts\nUndo this\? \[Y\/n\]/;
    const no = await typed(place, undo, [[asks, 'n']]);
    check(
      `undo (${by}): "n" changes nothing`,
      no.code === 130 && readFileSync(note, 'utf8') !== before,
      no,
    );
    const yes = await typed(place, undo, [[asks, enter]]);
    check(
      `undo (${by}): Enter takes back what was shown`,
      yes.code === 0 && readFileSync(note, 'utf8') === before,
      yes,
    );
    await piped(place, 'append', 'Swifts', 'Again.', '--vault', place.vault);
    const script = await piped(place, ...undo);
    check(
      `undo (${by}): a script is not asked`,
      script.code === 0 && readFileSync(note, 'utf8') === before,
      script,
    );
    await piped(place, 'append', 'Swifts', 'Again.', '--vault', place.vault);
    const sure = await typed(place, [...undo, '--yes']);
    check(
      `undo (${by}): --yes does not ask`,
      sure.code === 0 && !sure.text.includes('Undo this?') && readFileSync(note, 'utf8') === before,
      sure,
    );
    await server?.stop();
    await place.end();
  }
}
