import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { z } from 'zod';
import { digestOf, isRecord, StartError } from '../../kernel/common';
import type { Settings } from '../../kernel/config';

const CALL_MS = 60_000;
/** Availability checks have a short time-out, since heartbeats and callers wait for them. */
const PING_MS = 10_000;
/** The error codes of connecting to an engine that is away. */
const AWAY = [
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
];

/** The engine cannot be used at the moment; the sentence says what to do. */
export class EngineAwayError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineAwayError';
  }
}

/** Codes of parser errors for an answer that is not HTTP. */
const NOT_HTTP = /^HPE_/;

const infoSchema = z.object({
  ID: z.string(),
  Name: z.string(),
  DockerRootDir: z.string(),
  SecurityOptions: z.array(z.string()).nullish(),
  MemoryLimit: z.boolean(),
  CpuCfsQuota: z.boolean(),
  PidsLimit: z.boolean(),
});

const versionSchema = z.object({ Components: z.array(z.object({ Name: z.string() })).nullish() });

/** The description of an engine that answers. */
export interface EngineInfo {
  /** Tells it from other engines, for good. */
  readonly id: string;
  /** Whether the users of containers are numbers from 0 to 65535 only. */
  readonly hasFewUsers: boolean;
  /** Limits that it cannot enforce. */
  readonly unlimited: readonly string[];
}

/** The connection to a container engine (`DOCKER_HOST`); the library is loaded with the first call. */
export class Engine {
  /** Clients by their time-out. */
  private readonly clients = new Map<number, Promise<Docker>>();

  constructor(private readonly settings: Pick<Settings, 'DOCKER_HOST' | 'DOCKER_CERT_PATH'>) {}

  get address(): string {
    return this.settings.DOCKER_HOST;
  }

  /** The name or address of the engine's host; null where it is reached by a socket of this host. */
  get remoteHost(): string | null {
    return this.address.startsWith('unix:')
      ? null
      : new URL(this.address).hostname.replace(/^\[(.*)\]$/, '$1');
  }

  /**
   * Calls the engine.
   * @param waitMs how long it may take: the library says nothing of an answer that breaks off
   * @throws EngineAwayError when it does not answer, or not to us; what the engine says otherwise
   */
  async use<Result>(call: (docker: Docker) => Promise<Result>, waitMs = CALL_MS): Promise<Result> {
    const docker = await this.client(waitMs);
    const over = new AbortController();
    const late = sleep(waitMs, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error('timed out');
    });
    try {
      return await Promise.race([call(docker), late]);
    } catch (error) {
      const sentence = this.sentenceFor(error);
      if (sentence === null) throw error;
      throw new EngineAwayError(sentence, { cause: error });
    } finally {
      over.abort();
    }
  }

  async isThere(): Promise<boolean> {
    return this.use((docker) => docker.ping(), PING_MS).then(
      () => true,
      () => false,
    );
  }

  /** @throws EngineAwayError also where something else answers */
  async info(): Promise<EngineInfo> {
    const { fields, Components } = await this.whatItSays();
    const isPodman = (Components ?? []).some(({ Name }) => Name.startsWith('Podman'));
    return {
      // Engines of one host may have one id, and Podman makes up another at each call.
      id: digestOf(`${isPodman ? fields.Name : fields.ID} ${fields.DockerRootDir}`).slice(0, 32),
      hasFewUsers: (fields.SecurityOptions ?? []).some((option) => /^name=(userns|rootless)\b/.test(option)),
      unlimited: [
        ...(fields.MemoryLimit ? [] : ['memory']),
        ...(fields.CpuCfsQuota ? [] : ['processors']),
        ...(fields.PidsLimit ? [] : ['processes']),
      ],
    };
  }

  private async whatItSays(): Promise<
    z.infer<typeof versionSchema> & { fields: z.infer<typeof infoSchema> }
  > {
    try {
      const fields = infoSchema.parse(await this.use((docker) => docker.info()));
      return { fields, ...versionSchema.parse(await this.use((docker) => docker.version())) };
    } catch (cause) {
      if (cause instanceof EngineAwayError || cause instanceof StartError) throw cause;
      const reason = cause instanceof z.ZodError ? 'it does not say what it is' : reasonOf(cause);
      throw new EngineAwayError(
        `What answers at ${this.address} is no container engine for this service (${reason}): correct DOCKER_HOST.`,
        { cause },
      );
    }
  }

  private async client(waitMs: number): Promise<Docker> {
    const client = this.clients.get(waitMs) ?? this.connect(waitMs);
    this.clients.set(waitMs, client);
    return client.catch((error: unknown) => {
      this.clients.delete(waitMs);
      throw error;
    });
  }

  private async connect(timeout: number): Promise<Docker> {
    const { default: Library } = await import('dockerode').catch((cause: unknown) => {
      throw new StartError(
        'The library for container engines is not installed: run `npm install --no-save dockerode@5`.',
        { cause },
      );
    });
    if (this.address.startsWith('unix://'))
      return new Library({ socketPath: this.address.slice('unix://'.length), timeout });
    const { hostname, port } = new URL(this.address);
    const tls =
      this.settings.DOCKER_CERT_PATH === undefined ? {} : await certificates(this.settings.DOCKER_CERT_PATH);
    return new Library({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      protocol: this.settings.DOCKER_CERT_PATH === undefined ? 'http' : 'https',
      timeout,
      ...tls,
    });
  }

  /** What to do about an error that is not the engine's answer; null for an answer. */
  private sentenceFor(error: unknown): string | null {
    const engine = `the container engine at ${this.address}`;
    if (statusOf(error) === 400 && /HTTP request to an HTTPS server/i.test(wordsOf(error)))
      return `TLS is needed for ${engine}: set DOCKER_CERT_PATH.`;
    if (statusOf(error) !== null) return null;
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM')
      return `This user may not use ${engine}: add it to the group of the socket, or start the service as root.`;
    if (/CERT|SSL|TLS|EPROTO/.test(code))
      return `There is no trusted connection to ${engine} (${reasonOf(error)}): check DOCKER_CERT_PATH, and that the engine has TLS and DOCKER_HOST a name of its certificate.`;
    if (code === 'ECONNRESET' && this.remoteHost !== null)
      return `No answer from ${engine} (${code}): start it, or correct DOCKER_HOST, or ${this.settings.DOCKER_CERT_PATH === undefined ? 'set DOCKER_CERT_PATH if it wants TLS' : 'check that it trusts the certificate in DOCKER_CERT_PATH'}.`;
    if (NOT_HTTP.test(code))
      return `What answers at ${this.address} is no container engine (${code}): correct DOCKER_HOST.`;
    if (AWAY.includes(code) || /socket hang up|timed? ?out/i.test(wordsOf(error)))
      return `No answer from ${engine} (${code === '' ? wordsOf(error) : code}): start it, or correct DOCKER_HOST.`;
    return null;
  }
}

/** The status of the engine's answer to a call that failed; null where it did not answer. */
export function statusOf(error: unknown): number | null {
  const { statusCode } = fieldsOf(error);
  return typeof statusCode === 'number' ? statusCode : null;
}

/** Waits for a call that may find that there is nothing (any more), or that it is done already. */
export async function unless(statuses: readonly number[], call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const status = statusOf(error);
    if (status === null || !statuses.includes(status)) throw error;
  }
}

/** The message of the engine for a refusal. */
export function reasonOf(error: unknown): string {
  const { message: ofEngine } = fieldsOf(fieldsOf(error).json);
  const message = typeof ofEngine === 'string' ? ofEngine : wordsOf(error);
  return message.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
}

function codeOf(error: unknown): string {
  const { code } = fieldsOf(error);
  return typeof code === 'string' ? code : '';
}

function wordsOf(error: unknown): string {
  const { message } = fieldsOf(error);
  return typeof message === 'string' ? message : String(error);
}

/** What is thrown may come from elsewhere than this program's own classes. */
function fieldsOf(thrown: unknown): Readonly<Record<string, unknown>> {
  return isRecord(thrown) ? thrown : {};
}

async function certificates(folder: string): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const read = async (name: string): Promise<Buffer> => {
    const file = join(folder, name);
    return readFile(file).catch((cause: unknown) => {
      throw new StartError(`DOCKER_CERT_PATH: ${file} cannot be read (${codeOf(cause)}).`, { cause });
    });
  };
  const [ca, cert, key] = await Promise.all(['ca.pem', 'cert.pem', 'key.pem'].map(read));
  if (ca === undefined || cert === undefined || key === undefined) throw new Error('There are three files.');
  return { ca, cert, key };
}
