/** Settings, by their names in the environment. */
export type Env = Readonly<Record<string, string>>;

/** What a driver's sandboxes run on, made for one run of the suite. */
export interface DriverFixture {
  /**
   * The settings of a service that runs its sandboxes with the driver: `SANDBOX_DRIVER`, `EXTENSIONS`, a model that answers
   * (`LLM_MODEL=echo` where the agent server is the embedded one). Without `DATABASE_URL` the service has its own database.
   */
  readonly env: Env;

  /** The address at which the service listens, so that sandboxes reach it. */
  readonly host: string;

  /** Kills what a sandbox runs in, as an accident does, without the driver's knowing. */
  kill(sandboxId: string): Promise<void>;

  /** Whether an agent server of a sandbox runs, as what it runs on says, not as the service does. */
  runs(sandboxId: string): Promise<boolean>;

  /** What there is of a sandbox, in words for the message of a failure; nothing once it is deleted. */
  remains(sandboxId: string): Promise<readonly string[]>;

  /** Where the agent server of a running sandbox is, `http://host:port`, as what it runs on says. */
  address(sandboxId: string): Promise<string>;

  /** Ends all that was made. */
  close(): Promise<void>;
}

/** A driver, as the suite has to know it before its tests run. Its agent servers have to run commands. */
export interface DriverUnderTest {
  /** As `SANDBOX_DRIVER` has it. */
  readonly name: string;

  open(): Promise<DriverFixture>;

  /** Where conversations work inside a sandbox. */
  readonly workingDir: string;

  /** Whether a sandbox has another address after each resume. */
  readonly movesOnResume: boolean;

  /** Whether callers reach its agent servers by the door only. */
  readonly isBehindDoor: boolean;

  /** What its agent servers write when they start, and whether it can still be read after a pause. Default: no logs. */
  readonly logs?: { readonly say: RegExp; readonly stay: boolean };

  /** What Node.js runs the service with: its own options and a file. Default: the program of this package. */
  readonly program?: readonly string[];
}
