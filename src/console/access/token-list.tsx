import { useState } from 'preact/hooks';
import type { TokenRow } from '../../doors/console/console-wire.ts';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { Dialog } from '../parts/dialog.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { CopyButton } from '../parts/states.tsx';
import { accessStrings } from '../words/access-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';
import { dayInSentence } from '../words/times.ts';
import { end, madeToken } from './access-state.ts';

const day = 86_400_000;

/** The tokens of clients. One that was used in the last day is revoked only by typing its name. */
export function TokenList({ tokens }: { readonly tokens: readonly TokenRow[] }) {
  const [revoking, setRevoking] = useState<TokenRow | undefined>(undefined);
  if (tokens.length === 0) return <p class="note-line">{accessStrings.noTokens}</p>;
  const nowMs = Date.now();
  return (
    <>
      <ul class="list access">
        {tokens.map((token) => (
          <li key={token.id}>
            <div class="grow">
              <h3>
                <bdi>{token.name}</bdi> <Rights effects={token.effects} />
              </h3>
              <p class="faint">
                {accessStrings.where(token.folders)}
                {token.tools === undefined ? '' : ` · ${accessStrings.withTools(token.tools)}`}
                {' · '}
                {lastCallText(token, nowMs)}
                {' · '}
                {endText(token.expiresMs, nowMs)}
              </p>
            </div>
            <button type="button" class="btn small bad" onClick={() => setRevoking(token)}>
              {accessStrings.revoke}
              <span class="unseen"> {token.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {revoking === undefined ? undefined : (
        <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

/** The token that was just made, whole, this once. */
export function MadeToken() {
  const made = madeToken.value;
  if (made === undefined) return null;
  return (
    <section class="once" aria-label={accessStrings.tokenMade(made.kept.name)}>
      <b>{accessStrings.tokenMade(made.kept.name)}</b>
      <div class="code">
        <pre {...scrolling}>{made.token}</pre>
        <CopyButton text={() => made.token} />
      </div>
    </section>
  );
}

/** What a token or connection may do, as small words. */
export function Rights({ effects }: { readonly effects: TokenRow['effects'] }) {
  return (
    <>
      {effects.map((right) => (
        <>
          <span class={right === 'destroy' ? 'pill warn' : 'pill'}>
            {accessStrings.rights[right]}
          </span>{' '}
        </>
      ))}
    </>
  );
}

function lastCallText({ lastCall }: TokenRow, nowMs: number): string {
  if (lastCall === undefined) return accessStrings.noCall;
  const client =
    lastCall.client === undefined ? undefined : shownClient('mcp-http', lastCall.client).name;
  return accessStrings.lastCall(timeAgo(lastCall.timeMs, nowMs), client);
}

/** When something ends, in words. */
export function endText(endsMs: number | undefined, nowMs: number): string {
  if (endsMs === undefined) return accessStrings.endsNever;
  if (endsMs <= nowMs) return accessStrings.ended;
  const days = Math.ceil((endsMs - nowMs) / day);
  return days <= 14
    ? accessStrings.endsIn(days)
    : accessStrings.endsOn(dayInSentence(endsMs, { nowMs }));
}

function RevokeDialog({
  token,
  onClose,
}: {
  readonly token: TokenRow;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const { lastCall, name } = token;
  const isUsed = lastCall !== undefined && Date.now() - lastCall.timeMs < day;
  return (
    <Dialog
      title={accessStrings.revokeTitle(name)}
      more={accessStrings.revokeMore}
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" class="btn" onClick={onClose}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="btn bad"
            disabled={isUsed && typed.trim() !== name}
            onClick={() => {
              onClose();
              void end('tokens', token.id, accessStrings.revoked(name));
            }}
          >
            {accessStrings.revoke}
          </button>
        </>
      }
    >
      {isUsed ? (
        <label class="labelled">
          {accessStrings.typeName(name)}
          <input
            class="field"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
      ) : (
        <p class="faint">{accessStrings.revokeUnused}</p>
      )}
    </Dialog>
  );
}
