import { numberText } from '../../tools/wording/counted.ts';

/** The texts of the screen Connect. */
export const connectStrings = {
  connectMore: 'Give an app a door to this vault.',
  clients: 'Apps',
  connectNames: {
    'claude-code': 'Claude Code',
    'claude-desktop': 'Claude Desktop',
    cursor: 'Cursor',
    vscode: 'VS Code',
    'claude-ai': 'claude.ai',
    other: 'Any other',
  },
  /** The same within a sentence. */
  clientNames: {
    'claude-code': 'Claude Code',
    'claude-desktop': 'Claude Desktop',
    cursor: 'Cursor',
    vscode: 'VS Code',
    'claude-ai': 'claude.ai',
    other: 'your app',
  },
  runThis: 'a terminal',
  connectors: 'Settings, Connectors, Add custom connector',
  mostOthers: 'the app’s MCP settings',
  stepToken: (isNeeded: boolean) =>
    isNeeded ? 'Choose how far it may go' : 'A token, if you want one',
  stepPaste: (where: string) => `Put this into ${where}`,
  tokenState: (isMissing: boolean, signsIn: boolean, canAll: boolean) =>
    isMissing
      ? 'This server asks for a token.'
      : signsIn
        ? 'No token is needed: the app signs in, and you allow it then.'
        : `No token is needed on this machine: the app may ${canAll ? 'read and change everything' : 'do all that this server allows'}. A token can allow less.`,
  withoutToken: (toolsets: readonly string[]) =>
    `Without a token the app gets the ${toolsets.length === 1 ? 'toolset' : 'toolsets'} “${toolsets.join('” and “')}”. A token can choose another.`,
  tokenFor: (token: string) => `The token “${token}” is in the text below, this once.`,
  makeTokenFor: (client: string) => `Make a token for ${client}`,
  tokenPlace: '<token>',
  orInstall:
    'Or run this on this machine: the app then starts Vaultdoor by itself. Its calls do not show in the step below; what it changes appears in Activity.',
  inFolder: (folder: string) =>
    `Run it in the folder ${folder}: only there npx finds this Vaultdoor.`,
  desktopMore:
    'Claude Desktop starts the program by itself. It shares this server’s index and history.',
  desktopApart:
    'Claude Desktop starts the program by itself. This server has a history of its own (XDG_STATE_HOME), which that program does not share.',
  demoDesktop:
    'Claude Desktop keeps the folder of a vault in its settings, and this copy of the example vault is deleted when you end npm start. To connect your own notes:',
  demoSetup: 'npx vaultdoor setup',
  demoAddress:
    'The address works until you end npm start. Then take it out of the settings of the app again.',
  claudeAiMore: (signsIn: boolean) =>
    signsIn
      ? 'claude.ai sends you to the sign-in of this server.'
      : 'claude.ai has to sign in, which this server was started without: leave out --oauth off.',
  needsPublic: 'claude.ai cannot reach this server',
  needsPublicMore:
    'claude.ai connects from the internet, so it needs a public https address, and this server has none. A phone on which you open this console needs the same. This command, on the machine of the vault, leads through it:',
  needsPublicDocs: 'docs/home-server.md explains the ways to such an address.',
  alone:
    'This console runs alone, so no app can reach it over HTTP. An app can start the program by itself, after you have run this in a terminal:',
  aloneServe:
    'This console runs alone, so no app can reach it over HTTP. This starts a server, whose own console then says how to connect:',
  onPhone: 'On your phone',
  phoneMore: 'Opens this console. You sign in there; the code holds no secret.',
  noPublic:
    'For a phone the server needs a public https address. This command, on the machine of the vault, leads through it:',
  noPublicServe:
    'If you have such an address, start the server with this line and the options that it has now:',
  publicFlag: '--public-url https://<your address>',
  qrLabel: (address: string) => `QR code of ${address}`,
  address: 'Address for apps',
  addressMore: 'The commands on this page use this address.',
  addresses: 'Addresses',
  waitingFor: (client: string, cameBefore: boolean) =>
    `Waiting for the ${cameBefore ? 'next' : 'first'} call of ${client}`,
  isConnected: (client: string, ago: string) =>
    `${client} is connected: its last call was ${ago}. These steps are for connecting it anew.`,
  wasHere: (client: string, ago: string) =>
    `${client} was here ${ago}, and is not connected now. It comes back when you start it; these steps are for connecting it anew.`,
  nextCalls: 'Its next calls appear here.',
  takeOut: 'To take it out again',
  takeOutOf: (where: string) => `Take the entry “vaultdoor” out of ${where} again.`,
  takeOutRun: 'Run this in a terminal:',
  takeOutConnector:
    'Remove the connector in the settings of claude.ai, and disconnect the app in Access.',
  takeOutToken: 'If you made a token for it, revoke that in Access.',
  takeOutInstalled:
    'If you ran the command that lets the app start Vaultdoor by itself, this takes that back, and names the backups of the app’s settings that are left:',
  waitingMore: 'Restart the app after you have pasted the text. Its first calls appear here.',
  waitingCode: 'Start Claude Code after you have run the command. Its first calls appear here.',
  waitingSignIn: 'Its first calls appear here after you have allowed it.',
  restart: (client: string) => `Restart ${client}`,
  notHeard: 'Its calls are not shown on this page. What it changes appears in Activity.',
  notShared: 'Neither its calls nor what it changes are shown here.',
  wrongToken: 'An app came with a token that is not valid: mistyped, revoked or over.',
  usualReasons: 'Nothing has come for a minute. The usual reasons:',
  reasons: [
    'The app was not restarted, or reads another file.',
    'The token is missing or mistyped: the server’s log then says 401.',
    'The app is on another machine, and cannot reach this address: choose another one, and look at the firewall and the proxy.',
  ],
  isHere: (client: string) => `${client} is here`,
  callFailed: 'failed',
  milliseconds: (ms: number) => `${numberText(Math.round(ms))} ms`,
} as const;
