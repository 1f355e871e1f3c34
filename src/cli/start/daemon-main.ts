// The daemon as one file that is copied to another machine.
import { startProgram } from './start-program.ts';

startProgram(async () => (await import('../commands/daemon-command.ts')).runDaemonFile);
