import { VaultError } from '../../base/vault-error.ts';
import { type EmbedApi, embedApis } from '../../node/embed/embed-api.ts';
import type { FlagKind } from './split-arguments.ts';

/** The embedding model that the owner has named: in a package beside the program, or at an address. */
export type EmbedOptions =
  | { readonly at: 'local'; readonly folder?: string }
  | {
      readonly at: 'address';
      readonly url: string;
      readonly model: string;
      readonly api: EmbedApi;
      readonly keyFile?: string;
    };

/** The options that say it; `VAULTDOOR_EMBED_KEY` alone has no option, since others see those. */
export const embedFlags = [
  ['embed', 'value'],
  ['embed-model', 'value'],
  ['embed-api', 'value'],
  ['embed-key-file', 'value'],
  ['embed-package', 'value'],
] as const satisfies readonly (readonly [string, FlagKind])[];

type EmbedFlag = (typeof embedFlags)[number][0];

/**
 * Reads them; undefined when no model is named. Fails with `invalid_input` for what does not go
 * together: nothing may be sent to another place than the owner meant.
 */
export function readEmbed(
  value: (flag: EmbedFlag) => string | undefined,
): EmbedOptions | undefined {
  const embed = value('embed');
  const [model, api, keyFile, folder] = [
    value('embed-model'),
    value('embed-api'),
    value('embed-key-file'),
    value('embed-package'),
  ];
  if (embed === undefined) {
    const given = embedFlags.map(([flag]) => flag).find((flag) => value(flag) !== undefined);
    if (given !== undefined) throw refusal(`"--${given}" needs "--embed".`);
    return undefined;
  }
  if (embed === 'local') {
    if (model !== undefined || api !== undefined || keyFile !== undefined) {
      throw refusal('"--embed local" takes no other option than "--embed-package".');
    }
    return { at: 'local', ...(folder === undefined ? {} : { folder }) };
  }
  if (folder !== undefined) throw refusal('"--embed-package" is for "--embed local".');
  if (!isAddress(embed)) {
    throw refusal(
      '"--embed" takes "local", or an address that begins with http:// or https:// and has no password in it.',
    );
  }
  if (!model) throw refusal('"--embed-model" is missing: the name of the model at that address.');
  const known = embedApis.find((each) => each === (api ?? 'openai'));
  if (known === undefined) throw refusal(`"--embed-api" is one of: ${embedApis.join(', ')}.`);
  return {
    at: 'address',
    url: embed,
    model,
    api: known,
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}

/** The model that environment variables name, for commands that end at once. */
export function embedOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): EmbedOptions | undefined {
  return readEmbed(
    (flag) => env[`VAULTDOOR_${flag.toUpperCase().replaceAll('-', '_')}`] || undefined,
  );
}

function isAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
  } catch {
    return false;
  }
}

function refusal(message: string): VaultError {
  return new VaultError('invalid_input', message);
}
