import type { AskerRow } from '../../doors/console/console-wire.ts';
import { shownClient } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';

/** Who asks: what the client says of itself, and beside it the name of its token. */
export function AskerLine({ asker, tool }: { readonly asker: AskerRow; readonly tool: string }) {
  const { name, version } = shownClient(asker.door, asker.client);
  return (
    <p>
      <bdi>{version === undefined ? name : `${name} ${version}`}</bdi>
      {asker.tokenName === undefined ? undefined : (
        <>
          {' · '}
          <bdi>{strings.withToken(asker.tokenName)}</bdi>
        </>
      )}
      {' · '}
      <code>{tool}</code>
    </p>
  );
}
