/** The names by which a machine calls itself. */
export const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the browser is on the machine of the server, as far as its address says so. */
export function isHere(hostname: string): boolean {
  return localNames.includes(hostname);
}
