import { serverVariables, type Variables, withEnvWords } from './env-words.ts';

const serveVariables: Variables = {
  ...serverVariables,
  HOST: { value: '--host' },
  PORT: { value: '--port' },
  VAULTDOOR_AUTH: { value: '--auth' },
  VAULTDOOR_ALLOW_HOST: { list: '--allow-host' },
  VAULTDOOR_PUBLIC_URL: { list: '--public-url' },
};

/** The words after `serve`, with what the environment says in front. */
export function serveWords(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return withEnvWords(argv, env, serveVariables);
}
