import { useState } from 'preact/hooks';
import type { PasskeyRow } from '../../doors/console/console-wire.ts';
import { timeAgo } from '../../tools/wording/time-ago.ts';
import { type ApiFailure, asFailure } from '../page/api.ts';
import { me } from '../page/server-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { PartHeading } from '../parts/top-bar.tsx';
import { accessStrings } from '../words/access-strings.ts';
import { strings } from '../words/strings.ts';
import { dayInSentence } from '../words/times.ts';
import { removePasskey } from './access-state.ts';

/** The passkeys of the owner. They are added on the owner's page, which has its own sign-in. */
export function PasskeyList({ passkeys }: { readonly passkeys: readonly PasskeyRow[] }) {
  const [removing, setRemoving] = useState<PasskeyRow | undefined>(undefined);
  const ownerPage = me.value?.ownerPage;
  const nowMs = Date.now();
  return (
    <>
      <PartHeading title={accessStrings.passkeys} more={accessStrings.passkeysMore}>
        {ownerPage === undefined ? undefined : (
          <a class="btn small" href={ownerPage} target="_blank" rel="noopener noreferrer">
            <Icon name="plus" /> {accessStrings.addPasskey}
          </a>
        )}
      </PartHeading>
      {passkeys.length === 0 ? (
        <p class="note-line">
          {accessStrings.noPasskeys}{' '}
          {ownerPage === undefined ? accessStrings.noOwnerPage : accessStrings.addPasskeyMore}
        </p>
      ) : (
        <ul class="list access">
          {passkeys.map((passkey) => {
            const { id, name, host, createdMs, usedMs, worksHere } = passkey;
            const used = usedMs === undefined ? undefined : timeAgo(usedMs, nowMs);
            return (
              <li key={id}>
                <div class="grow">
                  <h3>
                    <bdi>{name}</bdi>{' '}
                    {worksHere ? undefined : <span class="pill">{accessStrings.notHere}</span>}
                  </h3>
                  <p class="faint">
                    {accessStrings.passkeyFacts(host, dayInSentence(createdMs, { nowMs }), used)}
                  </p>
                </div>
                <button type="button" class="btn small bad" onClick={() => setRemoving(passkey)}>
                  {accessStrings.removePasskey}
                  <span class="unseen"> {name}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {removing === undefined ? undefined : (
        <RemoveDialog passkey={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

function RemoveDialog({
  passkey,
  onClose,
}: {
  readonly passkey: PasskeyRow;
  readonly onClose: () => void;
}) {
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const remove = async (): Promise<void> => {
    try {
      await removePasskey(passkey);
      onClose();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  return (
    <Dialog
      title={accessStrings.removePasskeyTitle(passkey.name)}
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" class="btn" onClick={onClose}>
            {strings.cancel}
          </button>
          <button type="button" class="btn bad" onClick={remove}>
            {accessStrings.removePasskey}
          </button>
        </>
      }
    >
      {failure === undefined ? (
        <p class="faint">{accessStrings.removePasskeyMore}</p>
      ) : (
        <p class="note-line bad" role="alert">
          <Icon name="warning" /> {failure.message}
        </p>
      )}
    </Dialog>
  );
}
