/** Settings, by their names in the environment. */
export type Env = Readonly<Record<string, string>>;

/** Settings that make a start or a run fail, and what the status detail of the sandbox says then. */
export interface Fault {
  readonly env: Env;
  readonly detail: RegExp;
}

/** What a driver's sandboxes run on, made for one run of the suite. */
export interface DriverFixture {
  /** The settings of a service that runs its sandboxes with the driver. */
  readonly env: Env;
  /** The address at which the service listens, so that sandboxes reach it. */
  readonly host: string;

  /** Addresses that agents must not reach, besides their host's and their neighbours': something listens there. */
  readonly forbidden: readonly string[];

  /** Opens the ways between sandboxes and to others, so that nothing but the driver's own doing closes them. */
  openWays?(sandboxIds: readonly string[]): Promise<void>;

  /** Kills what a sandbox runs in, as an accident does, without the driver's knowing. */
  kill(sandboxId: string): Promise<void>;

  /** What there is of a sandbox, in words for the message of a failure; nothing once it is deleted. */
  remains(sandboxId: string): Promise<readonly string[]>;

  /** Where the agent server of a running sandbox is, as what it runs on says, not as the service does. */
  address(sandboxId: string): Promise<string>;

  /** Takes what sandboxes run on away. @returns what gives it back */
  takeAway?(): Promise<() => Promise<void>>;

  /** All that those who may look at what a sandbox runs in can read of it. */
  visible?(sandboxId: string): Promise<string>;

  /** Ends all that was made. */
  close(): Promise<void>;
}

/** A driver, as the suite has to know it before its tests run. */
export interface DriverUnderTest {
  /** As `SANDBOX_DRIVER` has it. */
  readonly name: string;
  open(): Promise<DriverFixture>;
  /** In place of `describe`, where the tests need what is not everywhere. */
  readonly describe?: (name: string, tests: () => void) => void;
  /** Where conversations work inside a sandbox. */
  readonly workingDir: string;
  /** Whether a sandbox has another address after each resume. */
  readonly movesOnResume: boolean;
  /** Whether callers reach its agent servers by the door only. */
  readonly isBehindDoor: boolean;
  /** Whether the log of a sandbox is there after it was paused. Default: it is. */
  readonly keepsLogs?: boolean;
  /** Whether sandboxes run on while what they run on is away. */
  readonly survivesAway?: boolean;
  readonly faults: {
    readonly missingImage?: Fault;
    /** There is room for one sandbox only. */
    readonly noCapacity?: Fault;
    readonly outOfMemory?: Fault;
    /** A sandbox may have less than 16 MiB of disk, where a file of it is. */
    readonly diskFull?: Fault & { readonly file?: string };
  };
  /** Whether agents are kept from neighbours, the host and metadata addresses; a test needs a port to try. */
  readonly isolatesNetwork: boolean;
  /** Whether those who may look at what a sandbox runs in see no key there. */
  readonly keepsKeysFromLookers: boolean;
  /** Whether sandboxes are found, and removed, of which not even a note is left. */
  readonly findsForgotten: boolean;
}
