import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/kernel/database';
import { findBinaries, usableBinaries } from '../../../src/appliance/embedded-postgres/binaries';
import { openCluster } from '../../../src/appliance/embedded-postgres/cluster';
import { Postmaster, type ServerSetup } from '../../../src/appliance/embedded-postgres/postmaster';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { prepareRoles, superuserAddress } from '../../../src/appliance/embedded-postgres/roles';
import { serverUserFor } from '../../../src/appliance/embedded-postgres/server-user';
import { SocketFolder } from '../../../src/appliance/embedded-postgres/socket-folder';
import { migrateJobs } from '../../../src/kernel/jobs';

/** A migrated PostgreSQL server for one test, which can be stopped and restarted at the same address. */
export class StoppablePostgres {
  private constructor(
    readonly url: string,
    /** The same database, as the cluster's superuser. */
    readonly superuserUrl: string,
    private readonly home: string,
    private readonly setup: ServerSetup,
    private running: Postmaster,
  ) {}

  /**
   * @param parent the folder that its own is made in
   * @param programs folder of a package with its programs; default: the one that npm installed
   */
  static async make(parent = tmpdir(), programs?: string): Promise<StoppablePostgres> {
    const home = await mkdtemp(join(parent, 'postgres-'));
    const user = await serverUserFor(join(home, 'postgres'));
    const binaries = await (programs === undefined
      ? findBinaries(user, home)
      : usableBinaries(programs, user, home));
    const cluster = join(home, 'postgres');
    const folder = await openCluster(cluster, binaries, user);
    const socket = await SocketFolder.open(folder, user, () => undefined);
    const settings = { fsync: 'off', full_page_writes: 'off' };
    const setup = { binaries, user, folder, socket, settings };
    const running = await Postmaster.start(setup);
    const url = await prepareRoles(cluster, socket);
    await migrate(url, migrateJobs);
    return new StoppablePostgres(url, await superuserAddress(cluster, url), home, setup, running);
  }

  /** Starts it after {@link stop}. */
  async start(): Promise<void> {
    this.running = await Postmaster.start(this.setup);
  }

  /** Stops it, which breaks all connections. */
  stop(): Promise<void> {
    return this.running.stop();
  }

  /** Suspends it, so that it neither responds nor exits (`SIGSTOP`), or resumes it (`SIGCONT`). */
  async signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    for (const pid of await postgresProcessesIn(this.setup.folder)) process.kill(pid, name);
  }

  /** Stops it and removes its folder. */
  async remove(): Promise<void> {
    await this.signal('SIGCONT');
    await this.stop();
    await this.setup.socket.close();
    await rm(this.home, { recursive: true, force: true });
  }
}
