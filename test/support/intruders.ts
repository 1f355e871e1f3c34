import { DaemonProcess } from './daemon-process.ts';
import { runCli } from './run-cli.ts';
import { StdioProcess } from './stdio-process.ts';
import { tempFolder } from './temp-folder.ts';

/** A program without the cluster that tries to write to one of its vaults. */
export interface Intruder {
  readonly name: string;
  /** Tries to write a line with "intruder" to the note "Shared"; answers how that was refused. */
  write(): Promise<string>;
}

/** The command line, a server over stdio and a daemon on the folder of a vault. */
export async function startIntruders(folder: string): Promise<readonly Intruder[]> {
  const home = tempFolder();
  const env = { XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
  const stdio = new StdioProcess({ folder });
  await stdio.initialize();
  const daemon = await DaemonProcess.start({
    home: tempFolder(),
    args: [`--vault-root=${folder}`],
  });
  const wire = await daemon.enter();
  const [name, text] = ['Shared', 'intruder'];
  return [
    {
      name: 'CLI',
      async write() {
        const { stderr } = await runCli(['append', name, text, '--vault', folder], env);
        return stderr;
      },
    },
    {
      name: 'stdio',
      async write() {
        const params = { name: 'append_note', arguments: { name, text } };
        return JSON.stringify(await stdio.request('tools/call', params));
      },
    },
    {
      name: 'daemon',
      async write() {
        const params = { path: `${name}.md`, content: text };
        return JSON.stringify(await wire.call('fs.append', params));
      },
    },
  ];
}
