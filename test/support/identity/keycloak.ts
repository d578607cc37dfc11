import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { eventually } from '../eventually';
import { freePort } from '../service/free-port';
import { PASSWORD, PROGRAM } from './keycloak-realm';

const VERSION = '26.7.3';
/** Maven takes it from its central repository, or from the mirror in its settings, and keeps it. */
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;
const ADMIN = { name: 'admin', password: 'the password of the administrator' };
const STARTS_WITHIN_MS = 240_000;

const tokens = z.object({ access_token: z.string() });
const found = z.array(z.object({ id: z.string() })).min(1);

/** Keycloak as its makers distribute it, with a database in memory, on loopback. It needs Java and Maven. */
export class Keycloak {
  private output = '';

  private constructor(
    /** Its address, without a trailing slash. */
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    const keep = (chunk: unknown) => (this.output += String(chunk));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  static async start(): Promise<Keycloak> {
    const folder = await mkdtemp(join(tmpdir(), 'keycloak-'));
    const unpacked = [`-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${folder}`];
    await promisify(execFile)('mvn', ['-q', '-B', '--strict-checksums', UNPACK, ...unpacked], {
      cwd: folder,
    });
    const port = await freePort();
    const program = join(folder, `keycloak-${VERSION}`, 'bin', 'kc.sh');
    const options = ['--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`];
    const child = spawn('bash', [program, 'start-dev', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.name,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      },
    });
    const keycloak = new Keycloak(`http://127.0.0.1:${port}`, folder, child);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(keycloak.output);
      const { ok } = await fetch(`${keycloak.issuer('master')}/.well-known/openid-configuration`);
      if (!ok) throw new Error(keycloak.output);
    }, STARTS_WITHIN_MS);
    return keycloak;
  }

  /** Host and port, for `OIDC_ALLOWED_HOSTS`. */
  get host(): string {
    return new URL(this.url).host;
  }

  issuer(realm: string): string {
    return `${this.url}/realms/${realm}`;
  }

  /** An access token for the service, as a program gets one for somebody. @throws Error where Keycloak gives none */
  token(realm: string, username: string): Promise<string> {
    return this.tokenOf(realm, { client_id: PROGRAM, username, password: PASSWORD });
  }

  /**
   * Calls the administration's API.
   * @param path below `/admin/realms`
   * @returns what it answers, if anything
   */
  async administer(method: string, path: string, body?: object): Promise<unknown> {
    const { name: username, password } = ADMIN;
    const token = await this.tokenOf('master', { client_id: 'admin-cli', username, password });
    const response = await fetch(`${this.url}/admin/realms${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return answer === '' ? undefined : JSON.parse(answer);
  }

  /** The id of a user or a group. */
  async idOf(realm: string, kind: 'users' | 'groups', name: string): Promise<string> {
    const query = kind === 'users' ? { username: name, exact: 'true' } : { search: name, exact: 'true' };
    const path = `/${realm}/${kind}?${new URLSearchParams(query).toString()}`;
    const [{ id } = { id: '' }] = found.parse(await this.administer('GET', path));
    return id;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.kill('SIGTERM')) await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  private async tokenOf(realm: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(`${this.issuer(realm)}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', scope: 'openid', ...fields }),
    });
    if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
    return tokens.parse(await response.json()).access_token;
  }
}
