import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { RegistrationProblem } from '../registration/registration-problem';

/** One git's use of the proxy: its password, its byte limit, and its open connections. */
export class ProxySession {
  /** The password of this git; no other process on this machine knows it. */
  readonly token = randomBytes(32).toString('base64url');

  /** Keeps connections to plain-http servers alive between two requests of this git. */
  readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });

  private readonly connections = new Set<Duplex>();
  private received = 0;
  private firstProblem: RegistrationProblem | null = null;

  /**
   * @param maxBytes how many bytes it may receive
   * @param onTooLarge called once when it receives more
   * @param onlyHost the only `host:port` it connects to, without the port where it is the scheme's; null for any
   */
  constructor(
    private readonly maxBytes: number,
    private readonly onTooLarge: () => void,
    private readonly onlyHost: string | null = null,
  ) {}

  /** Why the proxy refused a connection, if it did: git only learns that it was refused. */
  get problem(): RegistrationProblem | null {
    return this.firstProblem;
  }

  /** Bytes received so far. */
  get bytesReceived(): number {
    return this.received;
  }

  /** @throws RegistrationProblem when this git has a credential for another host */
  assertAllowed(url: URL): void {
    if (this.onlyHost !== null && url.host !== this.onlyHost)
      throw new RegistrationProblem('the server sends elsewhere, which is not followed');
  }

  note(problem: RegistrationProblem): void {
    this.firstProblem ??= problem;
  }

  /** Counts received bytes; beyond the limit all connections are closed. */
  count(bytes: number): void {
    const before = this.received;
    this.received += bytes;
    if (this.received <= this.maxBytes || before > this.maxBytes) return;
    this.onTooLarge();
    this.end();
  }

  /** Tracks a connection, so that it is closed with the session. */
  track(connection: Duplex): void {
    if (this.connections.has(connection)) return;
    this.connections.add(connection);
    connection.once('close', () => this.connections.delete(connection));
  }

  /** Closes all connections. */
  end(): void {
    this.agent.destroy();
    for (const connection of this.connections) connection.destroy();
  }
}
