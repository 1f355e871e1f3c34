import type { ServedToolset } from '../../base/caller.ts';
import type { VaultVariables } from './choose-vault.ts';

/** The help on the options that `stdio` and `serve` share. */
export function serverOptionsHelp(toolset: ServedToolset, variables: VaultVariables): string {
  return `  --vault <folder>          The vault; otherwise ${variables.join(' or ')}. May be repeated;
                            <name>=<folder> gives it a name of its own.
  --wait-for-vault          Start even if a vault cannot be opened yet; until it can, calls
                            answer what to do.
  --allow-root <folder>     Allow symlinks in the vaults that lead there; may be repeated.
  --tools <notes|obsidian|agent>
                            The toolset (default: ${toolset}), or several, separated by commas.
  --hide <glob>             Hide these files from the app; may be repeated.
  --hide-tag <tag>          Hide notes with this tag; may be repeated.
  --hide-property <key>=<value>
                            Hide notes that have this property; may be repeated.
  --read-only               Offer only tools that change nothing.
  --propose                 Let the app only propose changes: you accept or refuse each with
                            "vaultdoor proposals".
  --brake <files|off>       When an app has deleted or overwritten more than this many files
                            within ten minutes, or one call would, ask you first (default: 25).
                            You answer with "vaultdoor approvals".
  --tag-policy <off|warn|enforce|strict>
                            What the notes tools do about tags that the vault does not have
                            (default: enforce).
  --context-every <minutes> Show the notes tagged "claude" again after this much idle time
                            (default: 15; 0: only once).
  --context <glued|item|off>
                            Put that list behind the text of the first result, or into a content
                            item of its own, or leave it out (default: glued).
  --context-body-tags       List notes with "claude" in their text too, not only in the property
                            tags. Text that you saved from elsewhere can have it.
  --no-history-tools        Leave out list_changes and undo_change.
  --sync <pull|push|bisync> Offer vault_sync, which runs rclone in this direction with the
                            remote of --sync-remote.
  --sync-remote <remote:path>
                            The remote for --sync, as rclone writes it.
  --adr-repo <folder>       Offer adr_publish, which commits records of adr/ to this git checkout.
  --adr-publish <commit|push|pull-request>
                            What adr_publish does: commit, also push, or also open a pull request
                            (default: commit).
  --adr-hooks               Let git run the hooks and filters of that checkout, with the rights of
                            the server.
  --attach-from <folder>    Let write_attachment take files from this folder too. An app that may
                            write can then read the pictures, sounds, films and PDFs in it.
  --embed <url|local>       Search by meaning too: send passages of notes to the embedding model at
                            this address, or use one in a package beside Vaultdoor.
  --embed-model <name>      The model at that address.
  --embed-api <openai|ollama>
                            How that address is asked (default: openai).
  --embed-key-file <file>   The key for that address; or VAULTDOOR_EMBED_KEY.
  --embed-package <folder>  For "--embed local": the folder whose node_modules has the package.
  --log-reads               Keep which files apps read, for 30 days; "vaultdoor reads" lists them.
  --notify <url>            Tell you when something waits for your answer: an address of ntfy or
                            Gotify, or any other, which gets JSON.
  --notify-command <program>
                            The same by running this program.
  --timeout <seconds>       How long a call may take (default: 30); <tool>=<seconds> for one tool;
                            may be repeated.
  --log-level <silent|error|warn|info|debug>
                            What to log (default: info).
  --poll <auto|always|never>
                            Look for changes at intervals, for file systems that do not report
                            them (default: auto).`;
}

/** The help on the environment variables that `stdio` and `serve` share. */
export const serverVariablesHelp = `Arguments after "--" are vaults too. Environment variables can set options too; an option
that is given takes precedence, and lists are joined: VAULTDOOR_READ_ONLY=true,
VAULTDOOR_PROPOSE=true, VAULTDOOR_BRAKE=<files|off>,
VAULTDOOR_CLI_TOOLS=true (--tools obsidian), VAULTDOOR_ASK_NEW_TAGS=true or false (--tag-policy
enforce or off), VAULTDOOR_HIDE=<glob>,<glob>, VAULTDOOR_HIDE_TAGS=<tag>,<tag>,
VAULTDOOR_HIDE_PROPERTIES=<key>=<value>, VAULTDOOR_CONTEXT=<glued|item|off>,
VAULTDOOR_CONTEXT_BODY_TAGS=true, VAULTDOOR_SYNC, VAULTDOOR_SYNC_REMOTE,
VAULTDOOR_ADR_REPO, VAULTDOOR_ADR_PUBLISH, VAULTDOOR_ADR_HOOKS=true, VAULTDOOR_ATTACH_FROM,
VAULTDOOR_EMBED, VAULTDOOR_EMBED_MODEL, VAULTDOOR_EMBED_API, VAULTDOOR_EMBED_KEY,
VAULTDOOR_EMBED_KEY_FILE, VAULTDOOR_EMBED_PACKAGE, VAULTDOOR_LOG_READS=true, VAULTDOOR_NOTIFY, VAULTDOOR_NOTIFY_COMMAND`;
