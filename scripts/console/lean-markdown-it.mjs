import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const entities = fileURLToPath(new URL('./few-entities.mjs', import.meta.url));

/**
 * What takes the place of parts of markdown-it that the console does not use: it makes no HTML, reads
 * none, finds bare addresses with our own functions, and checks destinations itself. They are more than
 * half of the package's bytes with everything it imports. `test/console/lean-markdown-it.test.ts`
 * compares what is left with the whole package.
 */
const regions = {
  'src/renderer.ts': 'class Renderer {}',
  'src/rules_core/linkify.ts': 'function linkify$1() {}',
  'src/rules_core/replacements.ts': 'function replace() {}',
  'src/rules_core/smartquotes.ts': 'function smartquotes() {}',
  'src/rules_block/html_block.ts': 'function html_block() { return false; }',
  'src/rules_inline/html_inline.ts': 'function html_inline() { return false; }',
  'src/rules_inline/linkify.ts': 'function linkify() { return false; }',
};
const imports = {
  mdurl: 'const mdurl = {};',
  'uc.micro': String.raw`const ucmicro = { P: /\p{P}/u, S: /\p{S}/u };`,
  entities: `import { decodeHTMLStrict } from ${JSON.stringify(entities)};`,
  'linkify-it': 'class LinkifyIt {}',
  'punycode.js': 'const punycode = {};',
};

/** A plugin of esbuild that bundles markdown-it without those parts. Fails when one is not found. */
export const leanMarkdownIt = {
  name: 'lean-markdown-it',
  setup({ onLoad }) {
    onLoad({ filter: /markdown-it[\\/]dist[\\/]markdown-it\.mjs$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [name, instead] of Object.entries(regions)) {
        const start = contents.indexOf(`//#region ${name}\n`);
        const end = contents.indexOf('//#endregion', start);
        if (start === -1 || end === -1) throw new Error(`markdown-it has no region ${name}.`);
        contents = `${contents.slice(0, start)}${instead}\n${contents.slice(end)}`;
      }
      for (const [name, instead] of Object.entries(imports)) {
        const end = contents.indexOf(` from "${name}";\n`);
        const start = contents.lastIndexOf('import ', end);
        if (end === -1) throw new Error(`markdown-it does not import ${name}.`);
        const after = contents.indexOf('\n', end);
        contents = `${contents.slice(0, start)}${instead}${contents.slice(after)}`;
      }
      return { contents, loader: 'js' };
    });
  },
};
