import type { ShownClient } from '../words/client-name.ts';

/** The small square with two letters that stands for a client. */
export function Avatar({
  client,
  isSmall,
}: {
  readonly client: ShownClient;
  readonly isSmall?: boolean;
}) {
  const colour = client.isOwner ? 'you' : `client-${client.colour}`;
  return (
    <span class={`avatar ${colour}${isSmall === true ? ' small' : ''}`} aria-hidden="true">
      {client.letters}
    </span>
  );
}
