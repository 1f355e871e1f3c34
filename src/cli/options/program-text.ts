/**
 * A command of this program in a sentence, as the person types it. `words` is not quoted further, so
 * that it may have a place to fill in: `token create <name>`. Words that come from elsewhere, such as
 * the path of a vault, need `commandText`.
 */
export function hint(words: string): string {
  return `"${programText()} ${words}"`;
}

/** How the person has started the program. npm puts quotes around what npx runs. */
export function programText(): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = process.env;
  const isNpx = event === 'npx' && /^["']?vaultdoor\b/.test(script);
  return isNpx ? 'npx vaultdoor' : 'vaultdoor';
}
