import type { DriverFixture, DriverUnderTest, Env } from '../../src/operations/testing';

/** Settings that make a start or a run fail, and what the status detail of the sandbox says then. */
export interface Fault {
  readonly env: Env;
  readonly detail: RegExp;
}

/** What a driver of the service itself runs its sandboxes on. */
export interface OwnFixture extends DriverFixture {
  /** Addresses that agents must not reach, besides their host's and their neighbours': something listens there. */
  readonly forbidden: readonly string[];

  /** Opens the ways between sandboxes and to others, so that nothing but the driver's own doing closes them. */
  openWays?(sandboxIds: readonly string[]): Promise<void>;

  /** Takes what sandboxes run on away. @returns what gives it back */
  takeAway?(): Promise<() => Promise<void>>;

  /** All that those who may look at what a sandbox runs in can read of it. */
  visible?(sandboxId: string): Promise<string>;
}

/** A driver of the service itself. */
export interface OwnDriver extends DriverUnderTest {
  open(): Promise<OwnFixture>;
  /** In place of `describe`, where the tests need what is not everywhere. */
  readonly describe?: (name: string, tests: () => void) => void;
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
