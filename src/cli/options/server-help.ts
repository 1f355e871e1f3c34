import type { ServerToolset } from './server-options.ts';

/** The help on the options that `stdio` and `serve` share. */
export function serverOptionsHelp(toolset: ServerToolset): string {
  return `  --vault <folder>          The vault; otherwise OBSIDIAN_VAULT_PATH or VAULT_PATH. May be repeated;
                            <name>=<folder> gives it a name of its own.
  --wait-for-vault          Start even if a vault cannot be opened: calls say what to do until it
                            can.
  --allow-root <folder>     Symlinks in the vaults may lead there; may be repeated.
  --tools <notes|obsidian|agent>
                            The toolset (default: ${toolset}), or several with commas between.
  --hide <glob>             Files that do not exist for the client; may be repeated.
  --read-only               Change nothing; writing tools are not offered.
  --tag-policy <off|warn|enforce|strict>
                            What the notes tools do about tags the vault does not have (default:
                            enforce).
  --context-every <minutes> Tell of the notes tagged "claude" again after so much idle time
                            (default: 15; 0: only once).
  --no-history-tools        Leave out list_changes and undo_change.
  --sync <pull|push|bisync> Offer vault_sync, which runs rclone in this direction,
  --sync-remote <remote:path>
                            with this remote.
  --adr-repo <folder>       Offer adr_publish, which commits records of adr/ to this git checkout.
  --adr-publish <commit|push|pull-request>
                            How far it goes (default: commit).
  --timeout <seconds>       How long a call may take (default: 30); <tool>=<seconds> for one tool;
                            may be repeated.
  --log-level <silent|error|warn|info|debug>
                            How much the log says (default: info).
  --poll <auto|always|never>
                            Look for changes from time to time, where the file system does not tell
                            of them (default: auto).`;
}

/** The help on the environment variables that `stdio` and `serve` share. */
export const serverVariablesHelp = `Words after "--" are vaults too. The environment may say VAULTDOOR_READ_ONLY=true,
VAULTDOOR_CLI_TOOLS=true (--tools obsidian), VAULTDOOR_ASK_NEW_TAGS=true or false (--tag-policy
enforce or off), VAULTDOOR_HIDE=<glob>,<glob>, VAULTDOOR_SYNC, VAULTDOOR_SYNC_REMOTE,
VAULTDOOR_ADR_REPO and VAULTDOOR_ADR_PUBLISH`;
