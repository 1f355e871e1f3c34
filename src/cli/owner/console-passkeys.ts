import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import type { OwnAnswers, OwnRequest } from '../../doors/console/console-parts.ts';
import type { ConsoleSite } from '../../doors/console/console-site.ts';
import type { PasskeysAnswer, RemovePasskeyRequest } from '../../doors/console/console-wire.ts';
import { isFor, type OwnerConfirmation } from '../../oauth/owner/owner-confirmation.ts';
import type { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import type { PasskeySite } from '../../oauth/owner/passkey-site.ts';
import { checkSent } from '../options/check-sent.ts';

interface ConsolePasskeysParts {
  readonly confirmation: OwnerConfirmation;
  readonly owner: Pick<OwnerSignIn, 'removePasskey'>;
}

/** What a browser sends of a passkey; what is in it is checked where it is used. */
export const SentPasskey = z.record(z.string(), z.unknown());
const Removal: z.ZodType<RemovePasskeyRequest> = z.strictObject({
  id: z.string().max(2_000),
  passkey: SentPasskey.exactOptional(),
});

/**
 * Answers the console's requests about passkeys: list them, and remove one. Removing asks for a passkey
 * too. Otherwise somebody at an open console could remove the passkey and then allow what needs it.
 */
export function passkeyAnswers({
  confirmation,
  owner,
}: ConsolePasskeysParts): Pick<OwnAnswers, 'passkeys' | 'remove-passkey'> {
  return {
    passkeys: async ({ site }): Promise<PasskeysAnswer> => {
      const at = passkeySiteOf(site);
      const all = await confirmation.passkeys();
      const passkeys = all.map(({ key: _, ...passkey }) => ({
        ...passkey,
        worksHere: isFor(passkey, at),
      }));
      return { passkeys };
    },
    'remove-passkey': async (request) => {
      const { id, passkey } = checkSent(Removal, request.body);
      await confirmStep(confirmation, request, { about: ['remove', id], passkey });
      if (!(await owner.removePasskey(id))) {
        throw new VaultError('not_found', 'This passkey is not there any more.');
      }
      return {};
    },
  };
}

/** Returns when a step in an open console may be done; see `OwnerConfirmation.confirm`. */
export function confirmStep(
  confirmation: OwnerConfirmation,
  { site, session }: Pick<OwnRequest, 'site' | 'session'>,
  { about, passkey }: { readonly about: readonly string[]; readonly passkey: unknown },
): Promise<void> {
  return confirmation.confirm({
    site: passkeySiteOf(site),
    about: JSON.stringify(['console', session.id, ...about]),
    credential: passkey,
  });
}

/** How passkeys see the address of the console; undefined over plain HTTP in a network. */
export function passkeySiteOf({ origin, kind }: ConsoleSite): PasskeySite | undefined {
  return kind === 'plain' ? undefined : { host: new URL(origin).hostname, origin };
}
