import { limits } from '../../base/limits.ts';
import { askServer, type Patience, type ServerQuestion } from '../../node/oauth/ask-server.ts';
import { reachServer } from '../../node/oauth/reach-server.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { type ServerCheck, serverChecks } from './server-checks.ts';
import { certificateFinding, connectionFinding } from './server-connection.ts';
import {
  type Asked,
  failureText,
  finding,
  notThrough,
  ownMessage,
  redirectedTo,
  type ServerFinding,
  type Trouble,
} from './server-finding.ts';

/** A check with what the server has answered. */
interface Answered extends ServerCheck {
  readonly asked: Asked;
}

/**
 * Asks the server behind a public URL what clients ask when they sign in, from outside in, and answers
 * what is well and what to change. When the server cannot be reached, that is the only finding. Every
 * request ends after `askMs`. `ca` has certificates to trust instead of those of Node.
 */
export async function examineServer(
  issuer: Issuer,
  parts: Patience & {
    readonly nowMs: () => number;
    readonly ca?: string;
    /** Whether this machine is the server. */
    readonly isHere?: boolean;
  },
): Promise<readonly ServerFinding[]> {
  const { signal, nowMs, isHere = false } = parts;
  const url = new URL(issuer.url);
  const reached = await orFailed(reachServer(url, parts), signal);
  if ('failed' in reached) {
    const trouble = {
      says: `${issuer.origin} cannot be reached. ${reached.failed}`,
      change:
        'Look whether the name leads to your server, whether the proxy or tunnel runs, and whether the firewall and the router let the port through.',
    };
    return [finding('connection', '', trouble)];
  }
  const { certificate } = reached;
  const seen = { host: url.hostname, nowMs: nowMs() };
  const ask = async (check: ServerCheck): Promise<Answered> => {
    const asked = await orFailed(askServer(check.question, parts), signal);
    return { ...check, asked };
  };
  const answers = await Promise.all(serverChecks(issuer).map(ask));
  const gone = goneTrouble(answers);
  const who = gone === undefined ? 'server' : 'proxy';
  const front = [
    connectionFinding(reached, issuer, { isHere, who }),
    ...(certificate === undefined ? [] : [certificateFinding(certificate, seen)]),
  ];
  // Every other line would be bad for this one cause.
  if (gone !== undefined) return [...front, finding('server', '', gone)];
  return [
    ...front,
    finding('redirects', 'No address is redirected.', redirectsTrouble(answers)),
    ...answers.map((answer) => answerFinding(answer, issuer.url)),
    clockFinding(answers, nowMs()),
  ];
}

/** What is wrong when the proxy alone answers, with an error, whatever is asked. */
function goneTrouble(answers: readonly Answered[]): Trouble | undefined {
  const statuses = answers.flatMap(({ asked }) =>
    'status' in asked && gatewayErrors.includes(asked.status) && ownMessage(asked) === undefined
      ? [asked.status]
      : [],
  );
  if (statuses.length < answers.length) return undefined;
  return {
    says: `The proxy answers, but nothing behind it does (${Array.from(new Set(statuses)).join(', ')}).`,
    change:
      'Start the server ("systemctl --user start vaultdoor", or "vaultdoor serve"), and look whether the proxy leads to its address and port.',
  };
}

/** With these, a proxy says that it got no answer from the server behind it. */
const gatewayErrors: readonly number[] = [502, 503, 504];

/** The result, or why there is none. Fails only when the person at the shell has ended the command. */
async function orFailed<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T | { readonly failed: string }> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    return { failed: failureText(error) };
  }
}

function answerFinding(answer: Answered, publicUrl: string): ServerFinding {
  const { name, says, asked, judge, mayLeadTo, question, without } = answer;
  if (mayLeadTo !== undefined && redirectedTo(asked, question.url)?.startsWith(mayLeadTo)) {
    return finding(name, says);
  }
  const isMissing = 'status' in asked && asked.status === 404 && ownMessage(asked) !== undefined;
  if (without !== undefined && isMissing) return finding(name, without);
  const blocked = notThrough(asked, whatOf(question), publicUrl);
  if (blocked !== undefined || 'failed' in asked) return finding(name, says, blocked);
  return finding(name, says, judge(asked));
}

function whatOf({ method, url }: ServerQuestion): string {
  return `${method} ${url.pathname}`;
}

/** Clients follow no redirect to another origin, and none when they send something. */
function redirectsTrouble(answers: readonly Answered[]): Trouble | undefined {
  const led = answers.flatMap(({ asked, question, mayLeadTo }) => {
    const target = redirectedTo(asked, question.url);
    if (target === undefined || (mayLeadTo && target.startsWith(mayLeadTo))) return [];
    return [`${whatOf(question)} to ${target}`];
  });
  if (led.length === 0) return undefined;
  return {
    says: `The proxy redirects ${Array.from(new Set(led)).join(', ')}.`,
    change:
      'Apps do not follow such redirects. Turn them off for these paths (logins of the proxy, "www.", a final "/"), or start the server with --public-url and the address that they lead to.',
  };
}

/** Compares the clocks by the header Date of the first answer that has one. */
function clockFinding(answers: readonly Answered[], nowMs: number): ServerFinding {
  const dates = answers.flatMap(({ asked }) => {
    // A proxy may keep documents for a while, with the time at which they were sent.
    const isKept = 'failed' in asked || Number(asked.headers.get('age') ?? 0) > 0;
    const atMs = isKept ? Number.NaN : Date.parse(asked.headers.get('date') ?? '');
    return Number.isNaN(atMs) ? [] : [atMs];
  });
  const seconds = limits.doctorClockMs / 1000;
  const says = `The clocks of the server and of this machine differ by less than ${seconds} seconds.`;
  const latestMs = Math.max(...dates);
  if (dates.length === 0) {
    return finding('clock', says, {
      says: 'The answers have no Date header, so the clock of the server is not known.',
      change: 'Let the proxy pass the Date header.',
    });
  }
  const aheadMs = latestMs - nowMs;
  if (Math.abs(aheadMs) < limits.doctorClockMs) return finding('clock', says);
  const minutes = Math.max(1, Math.round(Math.abs(aheadMs) / 60_000));
  return finding('clock', says, {
    says: `The clock of the server is ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine.`,
    change:
      'Set both clocks by the network ("timedatectl set-ntp true" with systemd): certificates, codes and tokens end by the clock.',
  });
}
