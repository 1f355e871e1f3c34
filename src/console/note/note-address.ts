/** The address of a file on the screen Notes; `subpath` is `#Heading`, `#^block` or empty. */
export function noteAddress(to: {
  readonly vault?: string | undefined;
  readonly path: string;
  readonly subpath?: string;
}): string {
  const path = to.path.split('/').map(encodeURIComponent).join('/');
  const subpath = to.subpath ?? '';
  return `${notesAddress(to.vault)}/${path}${subpath === '' ? '' : `#${encodeURIComponent(subpath.slice(1))}`}`;
}

/** The address of a search on the screen Notes. */
export function searchAddress(to: {
  readonly vault?: string | undefined;
  readonly query: string;
}): string {
  return `${notesAddress(to.vault)}?${new URLSearchParams({ q: to.query })}`;
}

function notesAddress(vault: string | undefined): string {
  return vault === undefined ? '/c/notes' : `/c/v/${encodeURIComponent(vault)}/notes`;
}
