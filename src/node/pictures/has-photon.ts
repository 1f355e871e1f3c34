import { createRequire } from 'node:module';

/** Set in the bundle that has the library inside (`scripts/embed-wasm.mjs`). */
declare const VAULTDOOR_EMBEDS_PHOTON: true | undefined;

/** Whether the library for thumbnails is in the program or can be found from its file. */
export function hasPhoton(entryFile: string): boolean {
  if (typeof VAULTDOOR_EMBEDS_PHOTON !== 'undefined') return true;
  try {
    createRequire(entryFile).resolve('@silvia-odwyer/photon-node');
    return true;
  } catch {
    return false;
  }
}
