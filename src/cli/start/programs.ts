import type { ListedProgram } from '../shell/shell.ts';

const apps = 'Apps on this computer';
const decide = 'What apps ask and read';
const server = 'A server for several devices';
const nodes = 'Several servers together';
const ssh = 'The vault on another machine, through SSH';

/** Every command that is not a tool, in the order of the help. */
export const programs: readonly ListedProgram[] = [
  {
    name: 'setup',
    usage: 'setup',
    title: 'Connect the AI apps on this computer with your notes, or set up a server (--server).',
    group: apps,
    load: async () => (await import('../setup/setup-command.ts')).setupProgram,
  },
  {
    name: 'console',
    usage: 'console',
    title: 'Open the web page on which you see what apps did, take it back, and decide.',
    group: decide,
    load: async () => (await import('../commands/console-command.ts')).consoleProgram,
  },
  {
    name: 'doctor',
    usage: 'doctor',
    title: 'Find out why something does not work, on this machine or at a server, and what to do.',
    group: apps,
    load: async () => (await import('../doctor/doctor-command.ts')).doctorProgram,
  },
  {
    name: 'install',
    usage: 'install <app>',
    title: 'Add the vault to the configuration of an AI app.',
    group: apps,
    load: async () => (await import('../install/install-command.ts')).installProgram,
  },
  {
    name: 'uninstall',
    usage: 'uninstall <app>',
    title: 'Remove the vault from the configuration of an AI app.',
    group: apps,
    load: async () => (await import('../install/install-command.ts')).uninstallProgram,
  },
  {
    name: 'stdio',
    usage: 'stdio',
    title: 'Serve the vault to an AI app (Claude, Cursor, VS Code …) over stdin and stdout.',
    group: apps,
    load: async () => (await import('../commands/stdio-command.ts')).stdioProgram,
  },
  {
    name: 'bridge',
    usage: 'bridge',
    title: 'Serve the tools of a Bridge v1 server (the Obsidian plugin …) to an AI app over stdio.',
    group: apps,
    load: async () => (await import('../commands/bridge-command.ts')).bridgeProgram,
  },
  {
    name: 'completion',
    usage: 'completion bash|zsh',
    title: 'Print a script with which your shell completes commands and names of notes.',
    group: apps,
    load: async () => (await import('../call/completion-command.ts')).completionProgram(programs),
  },
  {
    name: 'approvals',
    usage: 'approvals show|allow|deny',
    title: 'Answer the questions that apps wait for, such as whether one may delete more files.',
    group: decide,
    load: async () => (await import('../owner/approvals-command.ts')).approvalsProgram,
  },
  {
    name: 'proposals',
    usage: 'proposals show|accept|refuse',
    title: 'Accept or refuse the changes that apps have proposed (--propose).',
    group: decide,
    load: async () => (await import('../owner/proposals-command.ts')).proposalsProgram,
  },
  {
    name: 'reads',
    usage: 'reads',
    title: 'List which notes apps have read, from servers with --log-reads.',
    group: decide,
    load: async () => (await import('../owner/reads-command.ts')).readsProgram,
  },
  {
    name: 'serve',
    usage: 'serve',
    title: 'Serve the vault to AI apps over HTTP, on this machine or in the network.',
    group: server,
    load: async () => (await import('../commands/serve-command.ts')).serveProgram,
  },
  {
    name: 'token',
    usage: 'token create|list|revoke',
    title: 'Make, list and revoke the tokens of apps that connect over HTTP.',
    group: server,
    load: async () => (await import('../commands/token-command.ts')).tokenProgram,
  },
  {
    name: 'owner',
    usage: 'owner set|show|reset|code',
    title: 'Set the passphrase with which you sign in to your server in a browser.',
    group: server,
    load: async () => (await import('../owner/owner-command.ts')).ownerProgram,
  },
  {
    name: 'connections',
    usage: 'connections list|revoke',
    title: 'List and revoke the connections of apps that have signed in to "vaultdoor serve".',
    group: server,
    load: async () => (await import('../owner/connections-command.ts')).connectionsProgram,
  },
  {
    name: 'client',
    usage: 'client create|list|revoke',
    title: 'Enter apps by hand that cannot register themselves when they sign in.',
    group: server,
    load: async () => (await import('../owner/client-command.ts')).clientProgram,
  },
  {
    name: 'cluster',
    usage: 'cluster init|status|add …',
    title: 'Set up and look after several machines that serve the same vaults.',
    group: nodes,
    load: async () => (await import('../cluster/cluster-command.ts')).clusterProgram,
  },
  {
    name: 'daemon',
    usage: 'daemon',
    title: 'Serve the files of the vault over a Unix socket, to apps that connect through SSH.',
    group: ssh,
    load: async () => (await import('../commands/daemon-command.ts')).daemonProgram,
  },
  {
    name: 'remote',
    usage: 'remote ls|cat|put|watch|info',
    title: 'Read, write and watch the files of a vault on another machine, through SSH.',
    group: ssh,
    load: async () => (await import('../commands/remote-command.ts')).remoteProgram,
  },
];
