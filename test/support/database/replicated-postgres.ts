import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signal } from '../../../src/kernel/common';
import { migrate } from '../../../src/kernel/database';
import { findBinaries } from '../../../src/appliance/embedded-postgres/binaries';
import { dataFolder, openCluster } from '../../../src/appliance/embedded-postgres/cluster';
import { Postmaster, type ServerSetup } from '../../../src/appliance/embedded-postgres/postmaster';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { prepareRoles, SERVICE_ROLE, superuserAddress } from '../../../src/appliance/embedded-postgres/roles';
import { type ServerUser, serverUserFor } from '../../../src/appliance/embedded-postgres/server-user';
import { SocketFolder } from '../../../src/appliance/embedded-postgres/socket-folder';
import { migrateJobs } from '../../../src/kernel/jobs';
import { ask } from './ask';
import { eventually } from '../eventually';
import { startTcpProxy, type TcpProxy } from '../service/tcp-proxy';

const STANDBY = 'standby';
const FAST = { fsync: 'off' };

interface Server {
  /** The folder that the data folder is in. */
  readonly home: string;
  readonly setup: ServerSetup;
}

/** A migrated PostgreSQL server and a standby that confirms every commit, behind an address that can move. */
export class ReplicatedPostgres {
  private constructor(
    /** The database, at the address that moves. */
    readonly url: string,
    private readonly home: string,
    private readonly primary: Server,
    private readonly standby: Server,
    private readonly address: TcpProxy,
    private readonly postmasters: readonly Postmaster[],
  ) {}

  static async make(): Promise<ReplicatedPostgres> {
    const home = await mkdtemp(join(tmpdir(), 'replicated-'));
    // The standby's server, a user of its own when the tests run as root, passes through it to the primary's socket.
    await chmod(home, 0o711);
    const primary = await makePrimary(home);
    const url = await fillOnce(primary);
    const standby = await copyAsStandby(primary, join(home, 'second'));
    const postmasters = [
      await Postmaster.start(withSettings(primary, { synchronous_standby_names: STANDBY })),
      await Postmaster.start(
        withSettings(standby, {
          primary_conninfo: `${await superuserOf(primary)}?application_name=${STANDBY}`,
        }),
      ),
    ];
    const address = await startTcpProxy(url);
    const made = new ReplicatedPostgres(address.url, home, primary, standby, address, postmasters);
    await made.replicated();
    return made;
  }

  /** Kills every process of the primary at once, as when its machine is lost. */
  async killPrimary(): Promise<void> {
    for (const pid of await postgresProcessesIn(this.primary.setup.folder)) signal(pid, 'SIGKILL');
    await this.postmasters[0]?.ended;
  }

  /** Has new connections lead to the standby. */
  moveAddress(): void {
    this.address.redirect(addressOf(this.standby));
  }

  /** Makes the standby a primary. */
  async promote(): Promise<void> {
    await ask(await superuserOf(this.standby), 'SELECT pg_promote(true, 60)');
  }

  /** Stops both and removes their folders. */
  async remove(): Promise<void> {
    await this.address.cut();
    for (const postmaster of this.postmasters.toReversed()) await postmaster.stop();
    for (const { setup } of [this.primary, this.standby]) await setup.socket.close();
    await rm(this.home, { recursive: true, force: true });
  }

  private async replicated(): Promise<void> {
    const superuser = await superuserOf(this.primary);
    await eventually(async () => {
      const rows = await ask(superuser, 'SELECT sync_state FROM pg_stat_replication');
      if (!rows.some(({ sync_state }) => sync_state === 'sync'))
        throw new Error('The standby is not in sync.');
    }, 60_000);
  }
}

async function makePrimary(parent: string): Promise<Server> {
  const home = join(parent, 'first');
  const user = await serverUserFor(home);
  const binaries = await findBinaries(user, parent);
  const folder = await openCluster(home, binaries, user);
  return { home, setup: { binaries, user, folder, socket: await socketIn(folder, user), settings: FAST } };
}

/** Roles and schema, while there is no standby to wait for. */
async function fillOnce({ home, setup }: Server): Promise<string> {
  const alone = await Postmaster.start(setup);
  try {
    const url = await prepareRoles(home, setup.socket);
    await migrate(url, migrateJobs);
    return url;
  } finally {
    await alone.stop();
  }
}

/** The copy of a server that is stopped, which follows it once both run. */
async function copyAsStandby({ home, setup }: Server, copy: string): Promise<Server> {
  await promisify(execFile)('cp', ['-a', home, copy]);
  const folder = dataFolder(copy);
  const signal = join(folder, 'standby.signal');
  await writeFile(signal, '');
  if (setup.user !== null) await chown(signal, setup.user.uid, setup.user.gid);
  return { home: copy, setup: { ...setup, folder, socket: await socketIn(folder, setup.user) } };
}

function withSettings({ setup }: Server, settings: Readonly<Record<string, string>>): ServerSetup {
  return { ...setup, settings: { ...setup.settings, ...settings } };
}

function socketIn(folder: string, user: ServerUser): Promise<SocketFolder> {
  return SocketFolder.open(folder, user, () => undefined);
}

/** Where it listens. */
function addressOf({ setup }: Server): string {
  return setup.socket.addressOf(SERVICE_ROLE, '');
}

function superuserOf(server: Server): Promise<string> {
  return superuserAddress(server.home, addressOf(server));
}
