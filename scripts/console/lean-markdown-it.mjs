import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const entities = fileURLToPath(new URL('./few-entities.mjs', import.meta.url));

/** A file of markdown-it inside its bundle. */
const region = (name, instead) => [`//#region ${name}\n`, '//#endregion', instead];
/** What is imported from a package, which is on a line of its own. */
const imported = (what, name, instead) => [`import ${what} from "${name}";`, '\n', instead];

/**
 * The parts of markdown-it that the console does not use, each from one text to another, and what takes
 * their place. The console makes no HTML, reads none, finds bare addresses with our own functions, and
 * decides itself which destinations it opens. With what they import, these are more than half of
 * markdown-it. `test/console/lean-markdown-it.test.ts` compares the rest with the whole package.
 */
const cuts = [
  imported('* as mdurl', 'mdurl', 'const mdurl = {};'),
  imported('* as ucmicro', 'uc.micro', 'const ucmicro = { P: /\\p{P}/u, S: /\\p{S}/u };'),
  imported(
    '{ decodeHTMLStrict }',
    'entities',
    `import { decodeHTMLStrict } from ${JSON.stringify(entities)};`,
  ),
  imported('{ LinkifyIt }', 'linkify-it', 'class LinkifyIt {}'),
  imported('punycode', 'punycode.js', ''),
  [
    'function _typeof(o) {',
    '//#region src/token.ts',
    'function _defineProperty(of, name, value) { of[name] = value; }\n',
  ],
  region('src/renderer.ts', 'class Renderer {}\n'),
  region('src/rules_core/linkify.ts', 'function linkify$1() {}\n'),
  region('src/rules_core/replacements.ts', 'function replace() {}\n'),
  region('src/rules_core/smartquotes.ts', 'function smartquotes() {}\n'),
  region('src/common/html_blocks.ts', ''),
  region('src/common/html_re.ts', ''),
  region('src/rules_block/html_block.ts', 'function html_block() { return false; }\n'),
  region('src/rules_inline/html_inline.ts', 'function html_inline() { return false; }\n'),
  region('src/rules_inline/linkify.ts', 'function linkify() { return false; }\n'),
  ['\n\tzero: {', '\n};', ''],
  [
    '\tvalidateLink(url) {',
    '\tconstructor(...args) {',
    'validateLink() { return true; } normalizeLink(to) { return to; } normalizeLinkText(to) { return to; }\n',
  ],
];

/** A plugin of esbuild that bundles markdown-it without those parts. Fails when one is not there. */
export const leanMarkdownIt = {
  name: 'lean-markdown-it',
  setup({ onLoad }) {
    onLoad({ filter: /markdown-it[\\/]dist[\\/]markdown-it\.mjs$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [from, to, instead] of cuts) {
        const start = contents.indexOf(from);
        const end = contents.indexOf(to, start);
        if (start === -1 || end === -1) throw new Error(`markdown-it has no part "${from}".`);
        contents = contents.slice(0, start) + instead + contents.slice(end);
      }
      return { contents, loader: 'js' };
    });
  },
};
