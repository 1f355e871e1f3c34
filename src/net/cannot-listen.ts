import { VaultError } from '../base/vault-error.ts';

/** The failure of a server that cannot listen on a port, with what the user can do about it. */
export function cannotListen(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): VaultError {
  const code = codeOf(error);
  return new VaultError('unavailable', sentence(code, host, port), {
    cause: error,
    details: { host, port, reason: code },
  });
}

function sentence(code: string, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use, perhaps by another Vaultdoor.${whichProgram(port)} Stop that program, or choose another port with --port.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not listen on port ${port} of ${host}. Choose a port from 1024 up with --port.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine has no address "${host}". Give --host one that it has: 127.0.0.1 for this machine only, 0.0.0.0 for all networks.`;
    case 'ERR_SOCKET_BAD_PORT':
      return `There is no port ${port}. Choose one between 1 and 65535 with --port, or 0 for any that is free.`;
    default:
      return `The system does not let this server listen on port ${port} of ${host} (${code}). Try another --port or --host.`;
  }
}

/** The command that names the program at a port, where the system has one. */
function whichProgram(port: number): string {
  return process.platform === 'linux' ? ` "ss -ltnp 'sport = :${port}'" shows which.` : '';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
