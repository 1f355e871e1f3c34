import { startProgram } from './start-program.ts';

startProgram(async () => (await import('./run.ts')).run);
