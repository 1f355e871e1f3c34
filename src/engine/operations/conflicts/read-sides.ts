import { VaultError } from '../../../base/vault-error.ts';
import type { CopySide, SidesChosen } from '../../ports/copy-to-merge.ts';

const sides: Readonly<Record<string, CopySide>> = {
  original: 'original',
  ours: 'original',
  copy: 'copy',
  theirs: 'copy',
  both: 'both',
};

const how = 'Write "original", "copy" or "both" for all places, or "1=copy,2=both" for each.';

/**
 * Reads which sides a caller has chosen: `both`, `1=copy,2=original`, or `both,2=copy` for one place
 * and the rest. Fails with `invalid_input` for anything else, and for a place that is named twice.
 */
export function readSides(choose: string): SidesChosen {
  const each = new Map<number, CopySide>();
  let all: CopySide | undefined;
  for (const typed of choose.split(/[,;\n]/)) {
    const word = typed.trim().toLowerCase();
    if (word === '') continue;
    const [, number, name = ''] = /^(?:(\d{1,9})\s*[=:]\s*)?([a-z]+)$/.exec(word) ?? [];
    const side = Object.hasOwn(sides, name) ? sides[name] : undefined;
    if (side === undefined) throw unreadable(`"${typed.trim().slice(0, 40)}" is no choice`);
    if (number === undefined) {
      if (all !== undefined) throw unreadable('There are two choices for all places');
      all = side;
    } else {
      if (each.has(Number(number))) throw unreadable(`Place ${number} is chosen twice`);
      each.set(Number(number), side);
    }
  }
  if (all === undefined && each.size === 0) throw unreadable('Nothing is chosen');
  return { each, ...(all === undefined ? {} : { all }) };
}

function unreadable(what: string): VaultError {
  return new VaultError('invalid_input', `${what}. ${how}`, { details: { choose: what } });
}

/**
 * Fails with `invalid_input` when the choices name a place that there is not, or leave one open.
 */
export function checkSides({ each, all }: SidesChosen, total: number): void {
  for (const number of each.keys()) {
    if (number < 1 || number > total) {
      throw new VaultError(
        'invalid_input',
        `There is no place ${number}: ${total === 0 ? 'nothing overlaps' : `the last one is ${total}`}.`,
        { details: { choose: number, total } },
      );
    }
  }
  if (all !== undefined || each.size === total) return;
  const open: number[] = [];
  for (let number = 1; number <= total && open.length < 10; number++) {
    if (!each.has(number)) open.push(number);
  }
  const more = total - each.size > open.length ? ', …' : '';
  throw new VaultError(
    'invalid_input',
    `No side is chosen for ${open.length === 1 ? 'place' : 'places'} ${open.join(', ')}${more}. Choose one for each, or add a word for all others, such as "both,1=copy".`,
    { details: { choose: open, total } },
  );
}
