/** A client for whom bytes wait that it has not read. */
interface Debtor {
  readonly unreadBytes: number;
}

/**
 * Cuts off the clients for whom the most bytes wait, until no more than `bytesMax` wait in all: a few
 * clients that do not read must not take the memory of the others.
 */
export function cutDebtors<T extends Debtor>(
  clients: Iterable<T>,
  { bytesMax, cutOff }: { readonly bytesMax: number; readonly cutOff: (client: T) => void },
): void {
  const debts = Array.from(clients, (client) => ({ client, bytes: client.unreadBytes }));
  let owed = debts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (owed <= bytesMax) return;
  for (const { client, bytes } of debts.sort((a, b) => b.bytes - a.bytes)) {
    if (owed <= bytesMax) return;
    owed -= bytes;
    cutOff(client);
  }
}
