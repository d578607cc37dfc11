import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** TLS in front of a socket, for clients with a certificate of its own authority, as an engine at `tcp:` has it. */
export class TlsProxy {
  private constructor(
    private readonly server: Server,
    /** Has `ca.pem`, `cert.pem` and `key.pem` of a client. */
    readonly folder: string,
  ) {}

  /** @param socket the path of what it leads to */
  static async start(socket: string): Promise<TlsProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'tls-'));
    await certificates(folder);
    const [ca, cert, key] = await Promise.all(
      ['ca.pem', 'server-cert.pem', 'server-key.pem'].map((name) => readFile(join(folder, name))),
    );
    const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true }, (client) => {
      const behind = connect(socket);
      client.on('error', () => behind.destroy()).on('close', () => behind.destroy());
      behind.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.pipe(behind).pipe(client);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new TlsProxy(server, folder);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** An authority, and certificates that it signed for a server at 127.0.0.1 and for a client. */
async function certificates(folder: string): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca-key.pem',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=authority',
  );
  await writeFile(join(folder, 'server.ext'), 'subjectAltName = IP:127.0.0.1\n');
  await writeFile(join(folder, 'client.ext'), 'extendedKeyUsage = clientAuth\n');
  for (const [name, prefix] of [
    ['server', 'server-'],
    ['client', ''],
  ] as const) {
    await openssl(
      'req',
      ...key,
      '-keyout',
      `${prefix}key.pem`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
    );
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-days', '2'];
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...by,
      '-out',
      `${prefix}cert.pem`,
      '-extfile',
      `${name}.ext`,
    );
  }
}
