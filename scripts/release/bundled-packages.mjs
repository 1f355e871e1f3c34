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
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no file with its licence.`);
    // Tables of `pdfjs-dist` that are in the program, too, and come from elsewhere.
    const further = ['cmaps/LICENSE'].filter((path) => existsSync(join(folder, path)));
    const texts = [file, ...further].map((path) => readFileSync(join(folder, path), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `Packages whose code is in Vaultdoor.\n${rule}${parts.join(rule)}`;
}
