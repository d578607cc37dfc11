import type { AgentServer } from '../agent-server';

/** A sandbox as its driver sees it. */
export interface SandboxHandle {
  readonly id: string;
  /** What its agent server takes and sends back with webhooks; empty where the sandbox has no key of its own. */
  readonly sessionKey: string;
  /** The port it had before, to be kept where that is possible. */
  readonly port: number | null;
  /** Its owner; null where only the id is known any more. */
  readonly orgId: string | null;
  /** What distinguishes the sandboxes of this installation from those of others where both may be. */
  readonly installationId: string;
}

/** Where a started agent server is; it need not answer yet. */
export interface StartedServer {
  /** How this service reaches it: `http://host:port`. */
  readonly baseUrl: string;
  readonly port: number;
  /** Folder inside the sandbox for the work of its conversations. */
  readonly workingDir: string;
  /** The user that listens there, where the driver knows it: nothing is sent to another one's listener. */
  readonly listenerUid?: number;
}

/** How this service reaches an agent server, at this moment. */
export type ServerLocation = Pick<AgentServer, 'baseUrl' | 'gateway'>;

/** Whether a sandbox runs, as its driver finds it: `missing` when even what it keeps between runs is gone. */
export type RunState = 'running' | 'stopped' | 'missing';

/** How much of the end of a log to read; both limits apply. */
export interface LogLimit {
  readonly lines: number;
  readonly bytes: number;
}

/** The sandbox cannot be run; the sentence goes to its owner. */
export class DriverError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DriverError';
  }
}

/** Something that a driver lacks, or that could be improved, as two sentences for operators. */
export interface DriverProblem {
  /** Whether no sandbox starts because of it. */
  readonly isFatal: boolean;
  readonly says: string;
  readonly change: string;
}

/** What the service has to know about a driver; it checks these, never the name of a driver. */
export interface DriverCapabilities {
  /**
   * Its sandboxes live on the host that started them, or on what {@link SandboxDriver.sharedHost} names: only the workers
   * there run their jobs, and callers reach them by `SANDBOX_PUBLIC_URL`. Otherwise any worker does, and callers use
   * `baseUrl` too.
   */
  readonly hostBound: boolean;
  /**
   * Whether callers reach its agent servers directly. Where they do not, they get the address of the door
   * (docs/sandboxes.md#the-door). Default: they do.
   */
  readonly reachableByCallers?: boolean;
  /**
   * One agent server, which takes `sharedApiKey`, serves all its sandboxes; callers never get that key.
   * Otherwise each sandbox has an agent server and a key of its own, which its creator may have.
   */
  readonly sharedServer: boolean;
  /** Serves the organization of `EXTERNAL_ORG_ID` only. */
  readonly singleOrganization: boolean;
  /** Its sandboxes are paused when the service stops, and resumed when it starts again on that host. */
  readonly stopsWithService: boolean;
  /**
   * Its agent servers run no commands: the service puts repositories into their folders, and runs no setup script
   * and installs no git hook. Default: they do.
   */
  readonly withoutCommands?: boolean;
  /** How long a server that runs may leave health checks unanswered before it counts as dead. */
  readonly unresponsiveAfterMs: number;
  /** The model its agent servers answer with where none is configured; null where one has to be. */
  readonly builtInModel: string | null;
}

/** A way to run agent servers. It knows nothing of conversations, users or statuses. */
export interface SandboxDriver {
  readonly name: string;
  /** One sentence for the list of sandbox specs. */
  readonly description: string;
  /** A warning for operators before they use it for work. */
  readonly operatorNote?: string | undefined;
  readonly capabilities: DriverCapabilities;
  /** With `sharedServer`: the key of that server, where it has one. */
  readonly sharedApiKey?: string | undefined;
  /** With `sharedServer`: where that server is, if it can be reached before there is a sandbox. */
  readonly sharedBaseUrl?: string | undefined;

  /** Runs a new sandbox. Called again after a failure in between, it starts over. @throws DriverError */
  start(sandbox: SandboxHandle): Promise<StartedServer>;

  /** Runs what was paused, or died, on what it left; it may come to have another address. @throws DriverError */
  resume(sandbox: SandboxHandle): Promise<StartedServer>;

  /** Ends the run and keeps what is needed to resume it. */
  pause(sandbox: SandboxHandle): Promise<void>;

  /** Ends the run and keeps nothing; of a host-bound one also what is left after its record is gone. */
  delete(sandbox: SandboxHandle): Promise<void>;

  /** With `hostBound`, also sandboxes that an earlier process of the service on this host has started. */
  describe(sandbox: SandboxHandle): Promise<RunState>;

  /**
   * Why a sandbox does not run, or not yet, as a sentence for its creator that says what can be done: out of memory, an
   * exit code, a missing image. Asked when one failed, and added to what the service says of it; null where nothing is
   * known. Must not throw.
   */
  explain?(sandbox: SandboxHandle): Promise<string | null>;

  /**
   * The end of what the last run of its agent server wrote to its output, oldest line first; empty where it wrote nothing.
   * Without this method, the response says that there are no logs. Not asked with `sharedServer`: they would be of all its
   * sandboxes.
   */
  logs?(sandbox: SandboxHandle, limit: LogLimit): Promise<readonly string[]>;

  /**
   * What is wrong with what it runs sandboxes with, for `cli doctor`: asked by a process that starts none, once `open` found
   * nothing. Changes nothing. Empty where sandboxes can start.
   * @throws Error with what is wrong and what to change, where nothing else can be looked at: what `sharedHost` would throw
   */
  problems?(): Promise<readonly DriverProblem[]>;

  /**
   * Whether it can run sandboxes now: resuming one is refused while it cannot. With {@link sharedHost}, sandboxes count as
   * failed when no process finds it available for half a minute, and run again when one does and they still run.
   */
  isAvailable(): Promise<boolean>;

  /**
   * Where an agent server is now, of which `start` and `resume` returned a name that stays; answered from memory. Null
   * while it is nowhere. Default: what they returned is the address.
   */
  locate?(baseUrl: string): ServerLocation | null;

  /**
   * With `hostBound`, where its sandboxes live on something that several hosts may work with, as a container engine: what
   * identifies it. All workers with the same one run its jobs. Asked once, when a worker starts.
   * @throws StartError with a sentence for whoever starts the service
   */
  sharedHost?(): Promise<string>;

  /**
   * The ids of all sandboxes of an installation that it finds, whatever they do. Those that the service does not know are
   * deleted. Asked every ten seconds: of the driver of new sandboxes, and with `sharedHost` of each that has sandboxes.
   */
  ids?(installationId: string): Promise<readonly string[]>;

  /**
   * Called once at the start of each process, worker or not, that has its new sandboxes: what it takes to answer
   * {@link locate}.
   * @throws StartError with a sentence for whoever starts the service
   */
  open?(): Promise<void>;

  /** Called once at the start of a worker whose new sandboxes it runs, before any of them starts. */
  prepare?(): Promise<void>;

  /** Takes a listener for sandboxes that end, so that this is known before the next health check. */
  onExit?(listener: (sandboxId: string) => void): void;

  /** With `stopsWithService`: as `pause`, within the second or two that shutdown allows. */
  stopNow?(sandbox: SandboxHandle): Promise<void>;

  /** Called once when the service stops, after the sandboxes that stop with it: ends what the driver itself does. */
  close?(): Promise<void>;
}
