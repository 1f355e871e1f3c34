import { leadAnswer, messageAnswer, pageAnswer } from './console-answers.ts';
import { consolePath } from './console-routes.ts';

/** The files of the page by their paths below `dist/console`, such as `index.html`. */
export type PageFiles = ReadonlyMap<string, Uint8Array>;

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
};

/** What stands in the name of a file that never changes. */
const hashed = /[-.][\dA-Za-z_]{8,}\.(?:js|css|svg|png)$/;
/** A name directly below `/c/` that can only be a file: no screen has such an address. */
const fileName = /^[^/]+\.[a-z]{2,11}$/;

/**
 * Answers the addresses of screens with `index.html`, and those of files with the file. They hold
 * nothing of the vault, so nobody has to be signed in.
 */
export function answerPage(
  files: PageFiles | undefined,
  { path, headers }: { readonly path: string; readonly headers: Headers },
): Response {
  if (!path.startsWith(consolePath)) return leadAnswer(consolePath);
  if (files?.get('index.html') === undefined) return notBuilt();
  const name = path.slice(consolePath.length);
  const isFile = /\.(?:br|gz)$/.test(name) ? false : files.has(name);
  if (!isFile && fileName.test(name)) {
    return messageAnswer(
      { title: 'Nothing here', lines: ['There is no such file. Load the page again.'] },
      { status: 404 },
    );
  }
  return answerFile(files, isFile ? name : 'index.html', headers);
}

function answerFile(files: PageFiles, name: string, headers: Headers): Response {
  const accepted = headers.get('accept-encoding') ?? '';
  const packed = encodings.find(
    ({ encoding, ending }) => accepts(accepted, encoding) && files.has(`${name}${ending}`),
  );
  const body = files.get(`${name}${packed?.ending ?? ''}`) ?? new Uint8Array();
  const type = types[/\w+$/.exec(name)?.[0] ?? ''] ?? 'application/octet-stream';
  return pageAnswer(body as Uint8Array<ArrayBuffer>, {
    headers: {
      'Content-Type': type,
      'Cache-Control': hashed.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      ...(packed === undefined ? {} : { 'Content-Encoding': packed.encoding }),
    },
  });
}

const encodings = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

/** Whether a header `Accept-Encoding` names an encoding, and not with the weight 0. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';');
    return name.trim().toLowerCase() === encoding && !/^ *q=0(?:\.0*)? *$/.test(weight);
  });
}

function notBuilt(): Response {
  return messageAnswer(
    {
      title: 'The console is not here',
      lines: [
        'This copy of Vaultdoor was built without the files of the console (dist/console). "npm run build" makes them.',
        'MCP is at /mcp, as always.',
      ],
    },
    { status: 503 },
  );
}
