import { isIPv6 } from 'node:net';
import { isPublicAddress, mayBePublic } from '../../node/oauth/public-addresses.ts';
import type { ReachedServer, SeenCertificate } from '../../node/oauth/reach-server.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { finding, type ServerFinding, shownSent, type Trouble } from './server-finding.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** A certificate that ends this soon should have been renewed, however long it holds. */
const renewedMs = 14 * dayMs;

/**
 * The finding for a server that was reached, with what may still keep claude.ai from reaching it.
 * `isHere`: this machine is the server. `who`: whether the server answers, or only a proxy before it.
 */
export function connectionFinding(
  { addresses, address }: ReachedServer,
  { path, origin }: Pick<Issuer, 'path' | 'origin'>,
  { isHere, who }: { readonly isHere: boolean; readonly who: 'server' | 'proxy' },
): ServerFinding {
  const below =
    path === ''
      ? ''
      : ` Some apps fail with an address that has a path (${path}); a name of its own is safer.`;
  const says = `The ${who} answers at ${address}.${below}`;
  const doubt = outsideDoubt({ addresses, origin, isHere });
  if (doubt !== undefined) {
    const { change } = doubt;
    return { ...finding('connection', `${says} ${doubt.says}`), isDoubtful: true, change };
  }
  const note = addresses.every((each) => isIPv6(each))
    ? ` The name has no IPv4 address, and claude.ai connects by IPv4 only.`
    : '';
  return finding('connection', `${says}${note}`);
}

/** Why it is not known whether the server can be reached from outside; undefined when it is. */
function outsideDoubt({
  addresses,
  origin,
  isHere,
}: {
  readonly addresses: readonly string[];
  readonly origin: string;
  readonly isHere: boolean;
}): Trouble | undefined {
  if (!mayBePublic(new URL(origin).hostname)) {
    return {
      says: `Nobody outside reaches ${origin}: such a name leads to this machine or into the home network only.`,
      change:
        'For claude.ai, ChatGPT and phones, take an address that leads here from the internet, such as one of Tailscale, or a name of your own.',
    };
  }
  const change = `Run this on a machine outside of your network, or open ${origin}/health on a phone without Wi-Fi.`;
  if (addresses.every((each) => !isPublicAddress(each, []))) {
    return {
      says: 'Seen from here, this is an address of a private network or of this machine, which does not show that the server can be reached from outside.',
      change,
    };
  }
  if (!isHere) return undefined;
  return {
    says: 'This machine is the server, which does not show that it can be reached from outside.',
    change,
  };
}

/** What is wrong with a certificate, if anything is. */
export function certificateFinding(
  certificate: SeenCertificate,
  { host, nowMs }: { readonly host: string; readonly nowMs: number },
): ServerFinding {
  const { fromMs, untilMs } = certificate;
  const lastsMs = untilMs - nowMs;
  // Certificates that hold for days or hours are renewed when a third of their time is left.
  const isLate = lastsMs < Math.min(renewedMs, (untilMs - fromMs) / 10);
  const late: Trouble = {
    says: `The certificate ends in ${timeText(lastsMs)} and was not renewed.`,
    change: 'Look into the log of the proxy or of the program that renews certificates.',
  };
  const trouble = certificateTrouble(certificate, { host, nowMs }) ?? (isLate ? late : undefined);
  const says = `The certificate is trusted, is for ${host}, and holds for ${timeText(lastsMs)}.`;
  return finding('certificate', says, trouble);
}

function certificateTrouble(
  { problem, isForThisName, names, fromMs, untilMs }: SeenCertificate,
  { host, nowMs }: { readonly host: string; readonly nowMs: number },
): Trouble | undefined {
  if (!isForThisName) {
    return {
      says: `The certificate is not for ${host} but for ${shownSent(names) || 'no name at all'}.`,
      change: `Let the proxy get a certificate for ${host}; with Caddy, write this name above the block.`,
    };
  }
  if (untilMs <= nowMs) {
    return {
      says: `The certificate ended ${timeText(nowMs - untilMs)} ago.`,
      change:
        'Renew it, or look into the log of the program that should have; if it is new, set the clock of this machine.',
    };
  }
  if (fromMs > nowMs) {
    return {
      says: `The certificate begins to hold only in ${timeText(fromMs - nowMs)}.`,
      change: 'Set the clock of this machine, or that of the one that made the certificate.',
    };
  }
  if (problem === undefined) return undefined;
  return {
    says: `The certificate is not trusted (${shownSent(problem)}).`,
    change: /ISSUER|LEAF/.test(problem)
      ? 'Let the proxy send the certificates between its own and the root ("full chain"). For an authority of your own, run the doctor with NODE_EXTRA_CA_CERTS=<its root certificate>; claude.ai and ChatGPT will not trust that one.'
      : 'Get a certificate from a public authority, as Caddy does by itself. For an authority of your own, run the doctor with NODE_EXTRA_CA_CERTS=<its root certificate>; claude.ai and ChatGPT will not trust that one.',
  };
}

function timeText(ms: number): string {
  const [count, unit] =
    ms >= 2 * dayMs ? [Math.floor(ms / dayMs), 'days'] : [Math.floor(ms / hourMs), 'hours'];
  return count === 1 ? `1 ${unit.slice(0, -1)}` : `${count} ${unit}`;
}
