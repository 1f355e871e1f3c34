import { numberText } from './counted.ts';

/** The texts of the screen Connect. */
export const connectStrings = {
  connectMore: 'Give a client a door to this vault.',
  clients: 'Clients',
  connectNames: {
    'claude-code': 'Claude Code',
    'claude-desktop': 'Claude Desktop',
    cursor: 'Cursor',
    vscode: 'VS Code',
    'claude-ai': 'claude.ai',
    other: 'Any other',
  },
  runThis: 'a terminal',
  connectors: 'Settings, Connectors, Add custom connector',
  mostOthers: 'the client’s MCP settings',
  stepToken: 'Choose how far it may go',
  stepPaste: (where: string) => `Put this into ${where}`,
  tokenState: (isMissing: boolean, signsIn: boolean) =>
    isMissing
      ? 'This server asks for a token.'
      : signsIn
        ? 'No token is needed: the client signs in, and you allow it then.'
        : 'No token is needed on this machine. One can still limit the client.',
  tokenFor: (token: string) => `The token “${token}” is in the text below, this once.`,
  makeTokenFor: (client: string) => `Make a token for ${client}`,
  tokenPlace: '<token>',
  orInstall: 'Or let the program do it:',
  desktopMore:
    'Claude Desktop starts the program by itself. It shares this server’s index and history.',
  claudeAiMore: (signsIn: boolean) =>
    signsIn
      ? 'claude.ai sends you to the sign-in of this server.'
      : 'claude.ai needs a public address and signing in: start the server with --public-url and --oauth.',
  alone:
    'This console runs alone, so no client can reach it over HTTP. A client can start the program by itself:',
  onPhone: 'On your phone',
  phoneMore: 'Opens this console. You sign in there; the code holds no secret.',
  noPublic:
    'For a phone the server needs an address that others can reach: start it with --public-url.',
  qrLabel: (address: string) => `QR code of ${address}`,
  address: 'Address for clients',
  addresses: 'Addresses',
  waitingFor: (client: string) => `Waiting for the first call of ${client}`,
  waitingMore: 'Restart the client after you have pasted the text. Its first calls appear here.',
  usualReasons: 'Nothing has come for a minute. The usual reasons:',
  reasons: [
    'The client was not restarted, or reads another file.',
    'The token is missing or mistyped: the server’s log then says 401.',
    'The client is on another machine, and cannot reach this address: choose another one, and look at the firewall and the proxy.',
  ],
  isHere: (client: string) => `${client} is here`,
  callFailed: 'failed',
  milliseconds: (ms: number) => `${numberText(Math.round(ms))} ms`,
} as const;
