import type { AskerRow } from '../../doors/console/console-wire.ts';
import { shownClient, tokenWords } from '../words/client-name.ts';
import { strings } from '../words/strings.ts';

/** Who asks: what the client says of itself, and beside it its token, or the app that has signed in. */
export function AskerLine({ asker, tool }: { readonly asker: AskerRow; readonly tool: string }) {
  const { name, version } = shownClient(asker.door, asker.client);
  const comesBy = tokenWords(asker);
  return (
    <p>
      <bdi>{version === undefined ? name : `${name}, ${strings.version(version)}`}</bdi>
      {comesBy === undefined ? undefined : (
        <>
          {' · '}
          <bdi>{comesBy}</bdi>
        </>
      )}
      {' · '}
      <code>{tool}</code>
    </p>
  );
}
