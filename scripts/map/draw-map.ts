import { roomBoxes } from './room-boxes.ts';

/** A room of the program, as the picture shows it. */
export interface MapRoom {
  /** From `src`, e.g. `engine/ports`. */
  readonly name: string;
  readonly files: number;
  /** What lives there, in one sentence. */
  readonly says: string;
  /** The rooms that it imports, with the number of files that do. */
  readonly imports: ReadonlyMap<string, number>;
}

/** Where each folder of `src` stands: the callers on top, what all rest on at the bottom. */
const places: readonly Place[] = [
  {
    folder: 'console',
    x: 20,
    y: 88,
    width: 1360,
    says: "the owner's page, in the browser: it speaks to doors/console over HTTP",
  },
  {
    folder: 'cli',
    x: 20,
    y: 0,
    width: 1360,
    says: 'the program: commands and servers; it joins all the others',
  },
  { folder: 'doors', x: 20, y: 0, width: 836, says: 'one room per protocol' },
  {
    folder: 'net',
    x: 900,
    y: 0,
    width: 480,
    says: 'HTTP: listener and front door',
    beside: 'doors',
  },
  {
    folder: 'oauth',
    x: 900,
    y: 0,
    width: 480,
    says: 'signing in: clients, grants, the owner',
    beside: 'doors',
  },
  {
    folder: 'cluster',
    x: 900,
    y: 0,
    width: 480,
    says: 'several machines: who owns a vault',
    beside: 'doors',
  },
  { folder: 'tools', x: 20, y: 0, width: 836, says: 'what callers can ask for; the one way in' },
  {
    folder: 'engine',
    x: 20,
    y: 0,
    width: 836,
    says: 'the vault: ports, plans, changes, operations',
  },
  { folder: 'sqlite', x: 900, y: 0, width: 480, says: 'answers to the ports', beside: 'tools' },
  { folder: 'postgres', x: 900, y: 0, width: 480, says: 'answers to the ports', beside: 'tools' },
  { folder: 'node', x: 900, y: 0, width: 480, says: 'answers to the ports', beside: 'engine' },
  { folder: 'markdown', x: 20, y: 0, width: 836, says: 'the text of one note' },
  {
    folder: 'base',
    x: 20,
    y: 0,
    width: 1360,
    says: 'errors, paths, limits: everyone may import it',
  },
];

interface Place {
  readonly folder: string;
  readonly x: number;
  /** 0: below the folder before it. */
  readonly y: number;
  readonly width: number;
  readonly says: string;
  /** The folder at whose height it stands, if it is not below the one before. */
  readonly beside?: string;
}

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const gap = 46;

const caption = [
  'A folder says below its name what it imports. An arrow goes from the folder that imports to the one that it imports, with the number of imports; only neighbours have one.',
  'A room imports only rooms of its folder that stand after it; the pointer on it shows which.',
];

/**
 * The rooms and who imports whom, as an SVG: the folders with what they import and arrows between
 * neighbours, and in each folder its rooms with what lives there, those that are imported after those
 * that import them. Lines between rooms would hide the names; what a room imports is shown while the
 * pointer is on it.
 */
export function drawMap(rooms: readonly MapRoom[]): string {
  const frames = new Map<string, Frame>();
  const drawn: string[] = [];
  let below = 88;
  let rightBelow = 0;
  for (const place of places) {
    const mine = rooms.filter(({ name }) => name.split('/')[0] === place.folder);
    const { boxes, height } = roomBoxes(mine, place.folder, place.width);
    const beside = place.beside === undefined ? undefined : frames.get(place.beside);
    const y =
      place.y > 0 ? place.y : beside === undefined ? below + gap : Math.max(beside.y, rightBelow);
    frames.set(place.folder, { x: place.x, y, width: place.width, height });
    if (beside === undefined) below = y + height;
    else rightBelow = y + height + gap / 2;
    const total = mine.reduce((sum, { files }) => sum + files, 0);
    drawn.push(
      `<g transform="translate(${place.x} ${y})">`,
      `<rect class="folder ${place.folder}" width="${place.width}" height="${height}" rx="8"/>`,
      `<text class="title" x="12" y="22">${place.folder}<tspan class="says" dx="10">${place.says} · ${total} files</tspan></text>`,
      `<text class="says" x="12" y="42">imports ${importedFolders(mine, place.folder)}</text>`,
      ...boxes,
      '</g>',
    );
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1400 ${below + 20}" font-family="system-ui, sans-serif">`,
    '<title>The rooms of Vaultdoor, and who imports whom</title>',
    style,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#445"/></marker></defs>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    '<text x="20" y="36" class="head">The rooms of Vaultdoor, and who imports whom</text>',
    ...caption.map((line, at) => `<text x="20" y="${56 + at * 18}" class="says">${line}</text>`),
    ...drawn,
    ...arrows(rooms, frames),
    '</svg>',
    '',
  ].join('\n');
}

/** The other folders that the rooms of one import, from the top of the picture to its bottom. */
function importedFolders(rooms: readonly MapRoom[], folder: string): string {
  const names = new Set(
    rooms.flatMap(({ imports }) => Array.from(imports.keys(), (name) => name.split('/')[0])),
  );
  const others = places.map((place) => place.folder).filter((name) => names.has(name));
  return others.filter((name) => name !== folder).join(', ') || 'nothing';
}

/** The arrows between folders that stand side by side or one below the other. */
function arrows(rooms: readonly MapRoom[], frames: ReadonlyMap<string, Frame>): string[] {
  const counts = new Map<string, number>();
  for (const { name, imports } of rooms) {
    for (const [other, count] of imports) {
      const pair = `${name.split('/')[0]} ${other.split('/')[0]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  }
  const shown: readonly (readonly [string, string, number])[] = [
    ['cli', 'doors', 0.5],
    ['cli', 'net', 0.4],
    ['doors', 'net', 0.5],
    ['doors', 'oauth', 0.5],
    ['doors', 'tools', 0.5],
    ['tools', 'engine', 0.5],
    ['engine', 'markdown', 0.5],
    ['markdown', 'base', 0.5],
    ['sqlite', 'engine', 0.5],
    ['postgres', 'engine', 0.5],
    ['postgres', 'sqlite', 0.5],
    ['node', 'engine', 0.5],
  ];
  return shown.flatMap(([from, to, at]) => {
    const [a, b] = [frames.get(from), frames.get(to)];
    const count = counts.get(`${from} ${to}`);
    if (a === undefined || b === undefined || count === undefined) return [];
    const line = joining(a, b, at);
    return [
      `<path class="arrow" d="${line.path}" marker-end="url(#tip)"/>`,
      `<text class="count" x="${line.x}" y="${line.y}">${count}</text>`,
    ];
  });
}

/** A line from one frame to the other, down, up or sideways, and the place of its number. */
function joining(a: Frame, b: Frame, at: number): { path: string; x: number; y: number } {
  const isBelow = b.y >= a.y + a.height;
  const isAbove = a.y >= b.y + b.height;
  if (isBelow || isAbove) {
    const left = Math.max(a.x, b.x);
    const x = left + (Math.min(a.x + a.width, b.x + b.width) - left) * at;
    const [start, end] = isBelow ? [a.y + a.height, b.y] : [a.y, b.y + b.height];
    return { path: `M${x} ${start} V${end}`, x: x + 14, y: (start + end) / 2 + 5 };
  }
  const top = Math.max(a.y, b.y);
  const y = top + Math.max(24, (Math.min(a.y + a.height, b.y + b.height) - top) * at);
  const isRight = b.x > a.x;
  const [start, end] = isRight ? [a.x + a.width, b.x] : [a.x, b.x + b.width];
  const bottom = Math.min(y, b.y + b.height - 10);
  return { path: `M${start} ${y} L${end} ${bottom}`, x: (start + end) / 2 - 8, y: y - 13 };
}

const style = `<style>
.head{font-size:20px;font-weight:600;fill:#223}
.title{font-size:18px;font-weight:600;fill:#223}
.says{font-size:13px;font-weight:400;fill:#667}
.folder{fill:#f6f7fa;stroke:#ccd}
.engine{fill:#eef4ff}.tools{fill:#f0faf0}.doors,.net{fill:#fff6e8}.cli{fill:#fdf0f3}.console{fill:#fbf7ea}
.oauth{fill:#eef6f0}.sqlite,.postgres,.node{fill:#f3effc}.markdown{fill:#eef9fa}.base{fill:#f2f2f2}
.room rect{fill:#fff;stroke:#99a}
.room:hover rect{stroke:#c33;stroke-width:2}
.name{font-size:14px;font-weight:600;fill:#223}
.does{font-size:12px;fill:#445}
.arrow{fill:none;stroke:#445;stroke-width:2.5}
.count{font-size:13px;font-weight:600;fill:#445}
</style>`;
