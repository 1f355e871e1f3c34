import { count } from '../../tools/wording/counted.ts';

/** The texts of the screen Access, and of the dialog for a new token. */
export const accessStrings = {
  accessMore: 'Who may come in, and how far.',
  tokens: 'Tokens',
  tokensMore: 'For apps and scripts. Kept as hashes; a revoked one is out within a second.',
  noTokens: 'There are no tokens.',
  newToken: 'New token',
  newTokenMore: 'For one app or script. You see the token once, when it is made.',
  makeToken: 'Make the token',
  tokenName: 'Name',
  tokenMay: 'May',
  tokenFolders: 'Only these folders, one on each line',
  tokenFoldersHint: 'The whole vault',
  tokenTools: (standard: readonly string[]) =>
    `Only these toolsets (none ticked: ${standard.join(' and ')})`,
  toolsetsMore: {
    notes: 'Made for AI models: search, read and change notes. The usual choice.',
    obsidian: 'Works like the commands of Obsidian’s own command line.',
    agent: 'A few tools for an agent that keeps notes of its own, such as a coding agent.',
  },
  tokenEnds: 'Ends',
  inDays: (days: number) => `in ${count(days, 'day')}`,
  onDate: 'on a date',
  never: 'never',
  lastDay: 'Last day',
  rights: { read: 'read', write: 'change', destroy: 'delete', propose: 'propose' },
  rightsMore: {
    read: 'Search and read notes.',
    write: 'Make and change notes.',
    destroy: 'Delete notes, and undo changes.',
    propose: 'Plan the changes that it may not make; you accept or refuse them.',
  },
  tokenMade: (token: string) => `Token “${token}” is made. Copy it now: it is shown this once.`,
  where: (folders: readonly string[]) =>
    folders.length === 0 || folders.includes('') ? 'whole vault' : `in ${folders.join(', ')}`,
  withTools: (tools: readonly string[]) =>
    `${tools.length === 1 ? 'toolset' : 'toolsets'} ${tools.join(', ')}`,
  noCall: 'no call since the server started',
  lastCall: (ago: string, client: string | undefined) =>
    `last call ${ago}${client === undefined ? '' : `, ${client}`}`,
  endsNever: 'never ends',
  ended: 'has ended',
  endsIn: (days: number) => `ends in ${count(days, 'day')}`,
  endsOn: (day: string) => `ends ${day}`,
  revoke: 'Revoke',
  revokeTitle: (token: string) => `Revoke the token “${token}”?`,
  revokeMore: 'Whoever uses it is out within a second. This cannot be undone.',
  revokeUnused: 'It was not used in the last day.',
  typeName: (token: string) => `It was used in the last day. Type its name, ${token}`,
  revoked: (token: string) => `The token “${token}” is revoked.`,
  grants: 'Signed-in apps',
  grantsMore:
    'Apps that you let in by signing in yourself. One that you disconnect must ask you again.',
  noGrants: 'No app has signed in.',
  sessions: 'Sessions of apps',
  sessionsMore:
    'Apps that come to this server. One that starts Vaultdoor by itself, as setup connects the apps on this computer, is not listed: “vaultdoor doctor” says what it may do, and Activity what it did. Most apps do not say when they go: their sessions close half an hour after the last call. An app whose session you close can come back; to keep it out, disconnect the app or revoke the token.',
  noSessions: 'No app has a session at this server.',
  noOtherSessions: 'No other app has a session.',
  connected: (ago: string) => `connected, last call ${ago}`,
  lastSeen: (ago: string) => `last seen ${ago}`,
  sinceTime: (time: string) => `since ${time}`,
  cameAt: (time: string) => `came ${time}`,
  disconnect: 'Disconnect',
  disconnected: (client: string) =>
    `${client} is disconnected. It must ask you again to come back.`,
  closeSession: 'Close',
  sessionClosed: (client: string) => `The session of ${client} is closed. The app can come back.`,
  idleSessions: (sessions: number) => `${count(sessions, 'session')} without a call lately`,
  anOpenSession: 'an open session: ',
  thisConsole: 'This console',
  thisConsoleMore:
    'It is opened by your sign-in, or by a link that “vaultdoor serve” or “vaultdoor console” prints. A link works once, at any address of this server, for whoever has it.',
  thisPage: 'This page',
  otherConsole: 'Another open console',
  passkeys: 'Passkeys',
  passkeysMore:
    'With a passkey you sign in to the console. It is also asked for before you let an app go on that was stopped because it had deleted or overwritten many files (see Approvals).',
  noPasskeys: 'There is no passkey: whoever has this console open can let such an app go on.',
  passkeyFacts: (host: string, made: string, used: string | undefined) =>
    `for ${host} · made ${made} · ${used === undefined ? 'never used' : `last used ${used}`}`,
  notHere: 'not at this address',
  removePasskey: 'Remove',
  removePasskeyTitle: (passkey: string) => `Remove the passkey “${passkey}”?`,
  removePasskeyMore: 'The console asks for a passkey first. The device may still offer it.',
  passkeyRemoved: (passkey: string) => `The passkey “${passkey}” is removed.`,
  addPasskey: 'Add a passkey',
  addPasskeyMore:
    '“Add a passkey” leads to the page on which you sign in with your passphrase. You can change the passphrase there, too.',
  noOwnerPage: 'Passkeys are added where apps can sign in: a server with --public-url.',
  signOutEverywhere: 'Sign out everywhere',
} as const;
