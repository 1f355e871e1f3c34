/** What programs may want of a note that is answered as text. */
export function noteMeta({ path, version }: { readonly path: string; readonly version: string }) {
  return { 'vaultdoor/path': path, 'vaultdoor/version': version };
}
