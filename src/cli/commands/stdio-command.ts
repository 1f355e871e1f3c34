import { vaultVariables } from '../options/choose-vault.ts';
import { inUsersNames } from '../options/environment-options.ts';
import { readStdioOptions, stdioEnvironment } from '../options/stdio-options.ts';
import type { serveStdio } from '../servers/serve-stdio.ts';
import type { Program, Shell } from '../shell/shell.ts';

async function help(): Promise<string> {
  const { serverOptionsHelp, serverVariablesHelp } = await import('../options/server-help.ts');
  return `Usage: vaultdoor stdio [options]

Serve vaults to an AI app over stdin and stdout, until the app closes them. Apps start
this themselves: "vaultdoor install <app>" tells them how. The log goes to stderr.

  --attach                  If a "vaultdoor serve" of these vaults runs, pass everything on to it, so
                            that many apps share one index. Otherwise serve as usual.
${serverOptionsHelp('notes', vaultVariables)}

${serverVariablesHelp}.

Examples:
  vaultdoor stdio --vault ~/Notes
  vaultdoor stdio --vault ~/Notes --read-only
  vaultdoor stdio --vault work=~/Work --vault home=~/Notes --tools obsidian
`;
}

/** `vaultdoor stdio`: the server that MCP clients start. */
export const stdioProgram: Program = { help, run };

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return inUsersNames({ argv, env: shell.env, variables: stdioEnvironment }, () =>
    serve(shell, argv).catch(async (error) => {
      // Loaded only where something failed.
      const { movedVaultAdvice } = await import('./moved-vault-advice.ts');
      throw movedVaultAdvice(error);
    }),
  );
}

async function serve(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readStdioOptions(argv, shell.env);
  if (options.attach) {
    const { attachStdio } = await import('../attach/attach-stdio.ts');
    const code = await attachStdio(shell, options);
    if (code !== undefined) return code;
  }
  try {
    // Loaded only here: a program that is attached to a server does not need it.
    const { greetClient } = await import('../servers/greet-client.ts');
    const answered = await greetClient(shell, options);
    if (answered < 2) return await serveRest(shell, options, { answered });
    // The client has all that it waits for. The threads start while this one loads the rest.
    const { SharedThreads } = await import('../../node/threads/shared-threads.ts');
    const threads = new SharedThreads();
    threads.prepare(['index', 'scan'], shell.entryFile);
    return await serveRest(shell, options, { answered, threads });
  } finally {
    // Reading stdin has begun, which would keep the process alive after a failure.
    shell.stdin.destroy();
  }
}

const serveRest: typeof serveStdio = async (...served) => {
  const { serveStdio } = await import('../servers/serve-stdio.ts');
  return serveStdio(...served);
};
