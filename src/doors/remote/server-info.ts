/** What a server says of itself. */
export interface ServerInfo {
  readonly version: string;
  readonly protocolVersion: number;
  /** The methods that it has, in order. */
  readonly capabilities: readonly string[];
  /** Where the vault is on the server's machine; for people to read. */
  readonly vaultRoot: string;
}

/** The version that both sides must speak, exactly. */
export const remoteProtocolVersion = 1;
