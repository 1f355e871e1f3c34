/** The name of a client without its version, which history keeps as one: `claude-ai/0.14.0`. */
export function clientNameOf(client: string): string {
  const slash = client.lastIndexOf('/');
  return slash <= 0 ? client : client.slice(0, slash);
}
