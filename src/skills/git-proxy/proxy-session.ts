import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import { RegistrationProblem } from '../registration/registration-problem';

/** How one git may use the proxy: its password, its share of bytes, and the connections it has open. */
export class ProxySession {
  /** What git has to show; nobody else on this machine knows it. */
  readonly token = randomBytes(32).toString('base64url');

  /** Keeps connections to plain-http servers between two requests of this git. */
  readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });

  private readonly connections = new Set<Duplex>();
  private received = 0;
  private firstProblem: RegistrationProblem | null = null;

  /**
   * @param maxBytes how much may come in
   * @param onTooLarge called once when more comes in
   * @param onlyHost the one `host:port` it leads to, the port left out where it is the scheme's; null for any
   */
  constructor(
    private readonly maxBytes: number,
    private readonly onTooLarge: () => void,
    private readonly onlyHost: string | null = null,
  ) {}

  /** Why the proxy refused git something, if it did: git itself only knows that it was refused. */
  get problem(): RegistrationProblem | null {
    return this.firstProblem;
  }

  /** Bytes that came in so far. */
  get bytesReceived(): number {
    return this.received;
  }

  /** @throws RegistrationProblem when this git has a credential for another host */
  assertLeadsTo(url: URL): void {
    if (this.onlyHost !== null && url.host !== this.onlyHost)
      throw new RegistrationProblem('the server sends elsewhere, which is not followed');
  }

  note(problem: RegistrationProblem): void {
    this.firstProblem ??= problem;
  }

  /** Counts bytes that came in; beyond the share every connection ends. */
  count(bytes: number): void {
    const before = this.received;
    this.received += bytes;
    if (this.received <= this.maxBytes || before > this.maxBytes) return;
    this.onTooLarge();
    this.end();
  }

  /** Remembers a connection, so that it ends with the session. */
  hold(connection: Duplex): void {
    if (this.connections.has(connection)) return;
    this.connections.add(connection);
    connection.once('close', () => this.connections.delete(connection));
  }

  /** Ends every connection. */
  end(): void {
    this.agent.destroy();
    for (const connection of this.connections) connection.destroy();
  }
}
