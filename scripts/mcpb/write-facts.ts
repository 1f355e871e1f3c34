import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawIcon } from './draw-icon.ts';
import { mcpbManifest, type PackageFacts } from './manifest.ts';

/** Writes the bundle's manifest and icon into a folder. */
export function main([folder = '.']: readonly string[]): void {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const manifest = mcpbManifest(JSON.parse(text) as PackageFacts);
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(folder, 'icon.png'), drawIcon());
}
