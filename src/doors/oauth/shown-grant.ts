import type { Right } from '../../base/caller.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import type { RedirectTarget } from '../../oauth/clients/redirect-uri.ts';
import { toolsets } from '../../oauth/pages/consent-fields.ts';
import type { ExistingConnection } from '../../oauth/pages/consent-view.ts';
import type { OwnerConnection } from '../../oauth/pages/owner-view.ts';
import type { Grant, GrantEnd } from '../../oauth/ports/oauth-book.ts';

const dayMs = 86_400_000;

/** A day in words, such as `10 November 2026`. */
export function dayInWords(ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(ms);
}

/** When something was last used: `today`, `yesterday`, a day, or `never`. */
export function lastUseInWords(ms: number | undefined, nowMs: number): string {
  if (ms === undefined) return 'never';
  const days = Math.floor(nowMs / dayMs) - Math.floor(ms / dayMs);
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : dayInWords(ms);
}

/** Where the answer of a sign-in goes, for the owner. */
export function answersToInWords(target: RedirectTarget): string {
  switch (target.kind) {
    case 'web':
      return target.host;
    case 'loopback':
      return 'the device where you let it in';
    case 'app':
      return `${target.scheme}: links`;
  }
}

/** A connection that a client has already, for the consent page. */
export function existingConnection(grant: Grant, nowMs: number): ExistingConnection {
  const where = grant.folders.includes('') ? '' : ` in ${foldersInWords(grant.folders)}`;
  return {
    id: grant.id,
    created: dayInWords(grant.createdMs),
    lastUse: lastUseInWords(grant.usedMs, nowMs),
    rights: `${rightsInWords(grant.effects)}${where}`,
  };
}

/** A connection for the owner's page. */
export function ownerConnection(grant: Grant, nowMs: number): OwnerConnection {
  const { client, ended } = grant;
  const live = grant.pairs.filter(
    ({ spentMs, accessEndsMs }) => spentMs === undefined && accessEndsMs > nowMs,
  );
  return {
    id: grant.id,
    client: client.name,
    kind: client.kind,
    answersTo: client.answersTo,
    folders: foldersInWords(grant.folders),
    rights: rightsInWords(grant.effects),
    tools: grant.tools.map((name) => toolsets[name].title).join(', '),
    created: dayInWords(grant.createdMs),
    lastUse: lastUseInWords(grant.usedMs, nowMs),
    ends: grant.endsMs === undefined ? 'when you disconnect it' : `on ${dayInWords(grant.endsMs)}`,
    pairsNow: live.length,
    ...(ended !== undefined && {
      ended: `${lastUseInWords(ended.atMs, nowMs)}: ${whyEnded[ended.why]}`,
    }),
  };
}

const whyEnded: Readonly<Record<GrantEnd, string>> = {
  revoked: 'you disconnected it',
  client: 'the app signed out',
  replayed: 'a token that was already used came again, so somebody may have copied it',
  expired: 'its time was over',
  idle: 'it was not used for a long time',
};

function foldersInWords(folders: readonly VaultFolder[]): string {
  return folders.includes('' as VaultFolder) ? 'the whole vault' : folders.join(', ');
}

function rightsInWords(effects: readonly Right[]): string {
  if (effects.includes('destroy')) return 'reads, changes and deletes notes';
  if (effects.includes('write')) return 'reads and changes notes';
  return effects.includes('propose') ? 'reads notes and proposes changes' : 'reads notes';
}
