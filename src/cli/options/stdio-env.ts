import { serverVariables, withEnvWords } from './env-words.ts';

/** The words after `stdio`, with what the environment says in front. */
export function stdioWords(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return withEnvWords(argv, env, serverVariables);
}
