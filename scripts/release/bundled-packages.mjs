import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../outside-programs.mjs';

/**
 * The packages whose code is inside of built files, sorted by name: their name, version, licence and
 * folder, and the files in `dist` that they are in. `built` has the folders of the packages in each file;
 * unless it is given, those of the last build are meant.
 */
export function bundledPackages(built = lastBuild()) {
  const byFolder = new Map();
  for (const [file, folders] of Object.entries(built)) {
    for (const folder of folders) byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
  }
  return Array.from(byFolder, ([path, files]) => {
    const folder = join(repository, path);
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    if (typeof license !== 'string') throw new Error(`${name} does not say its licence.`);
    return { name, version, license, folder, files: files.map((file) => `dist/${file}`) };
  }).sort((one, other) => (one.name < other.name ? -1 : 1));
}

function lastBuild() {
  return JSON.parse(readFileSync(join(repository, 'dist', 'packages.json'), 'utf8'));
}

/** The licences of packages, as text. Most of them ask that it goes with every copy. */
export function licenceTexts(packages) {
  const parts = packages.map(({ name, version, license, folder }) => {
    // Tables of `pdfjs-dist` that are in the program, too, and come from elsewhere.
    const further = ['cmaps/LICENSE'].filter((path) => existsSync(join(folder, path)));
    const texts = [licenceOf(name, folder), ...further.map((path) => textOf(folder, path))];
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `Packages whose code is in Vaultdoor.\n${rule}${parts.join(rule)}`;
}

/** The licence of a package: a file of that name, or the end of its README under such a heading. */
function licenceOf(name, folder) {
  const files = readdirSync(folder);
  const file = files.find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file !== undefined) return textOf(folder, file);
  const readme = files.find((entry) => /^readme(\.|$)/i.test(entry));
  const text = readme === undefined ? '' : textOf(folder, readme);
  const [, licence] = /^#+ *licen[cs]e *\n(.*Copyright.*)$/ims.exec(text) ?? [];
  if (licence === undefined) throw new Error(`${name} has no text of its licence.`);
  return licence.trim();
}

function textOf(folder, path) {
  return readFileSync(join(folder, path), 'utf8').trim();
}
