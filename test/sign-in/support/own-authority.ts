import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dayMs = 86_400_000;

/** A key and a certificate, as files of PEM text. */
export interface OwnCertificate {
  readonly key: string;
  readonly cert: string;
}

/** An authority that makes certificates of any time and name, with openssl. */
export interface OwnAuthority {
  /** The file of its root certificate, and the text in it. */
  readonly file: string;
  readonly root: string;
  readonly certificate: (options: {
    /** As openssl writes them: `DNS:localhost,IP:127.0.0.1`; `DNS:localhost` if absent. */
    readonly names?: string;
    /** From now; ten days ago if absent. */
    readonly fromMs?: number;
    /** From now; in 80 days if absent. */
    readonly untilMs?: number;
  }) => OwnCertificate;
}

/** Makes an authority in an empty folder. */
export function ownAuthority(folder: string): OwnAuthority {
  const at = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): void => {
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    ...['req', '-x509', ...newKey, '-keyout', 'root.key', '-out', 'root.crt', '-days', '3650'],
    ...['-subj', '/CN=Test authority', '-addext', 'basicConstraints=critical,CA:TRUE'],
  );
  writeFileSync(at('index.txt'), '');
  writeFileSync(
    at('ca.cnf'),
    [
      ...['[ca]', 'default_ca = own', '[own]', 'database = index.txt', 'new_certs_dir = .'],
      ...['certificate = root.crt', 'private_key = root.key', 'rand_serial = yes'],
      ...['default_md = sha256', 'unique_subject = no', 'policy = any', '[any]'],
      ...['commonName = supplied', ''],
    ].join('\n'),
  );
  let made = 0;
  return {
    file: at('root.crt'),
    root: readFileSync(at('root.crt'), 'utf8'),
    certificate: ({ names = 'DNS:localhost', fromMs = -10 * dayMs, untilMs = 80 * dayMs }) => {
      const name = `server-${++made}`;
      const [key, asked, cert] = [`${name}.key`, `${name}.csr`, `${name}.crt`];
      writeFileSync(at(`${name}.ext`), `subjectAltName = ${names}\n`);
      openssl('req', ...newKey, '-keyout', key, '-out', asked, '-subj', `/CN=${name}`);
      openssl(
        ...['ca', '-batch', '-notext', '-config', 'ca.cnf', '-in', asked, '-out', cert],
        ...['-extfile', `${name}.ext`, '-startdate', asn1(fromMs), '-enddate', asn1(untilMs)],
      );
      return { key: readFileSync(at(key), 'utf8'), cert: readFileSync(at(cert), 'utf8') };
    },
  };
}

/** A time from now as openssl takes it: `20261117120000Z`. */
function asn1(ms: number): string {
  return `${new Date(Date.now() + ms).toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`;
}
