import { freePort } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import { DriverError } from '../../sandboxes/driver-port';
import type { ControlFiles } from './control-files';
import { newUser } from '../sandbox-users';

/** The resources of the process of a sandbox on its host. */
export interface Place {
  readonly port: number;
  /** Null for the user of this process. */
  readonly uid: number | null;
}

/** Gives ports and users to sandboxes, none twice: one sandbox chooses at a time. */
export class Places {
  /** Chosen but not recorded yet. */
  private readonly reserved = { ports: new Set<number>(), users: new Set<number>() };
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly settings: Settings,
    private readonly files: ControlFiles,
  ) {}

  /**
   * Chooses a place, kept from others until it is {@link recorded}.
   * @param before the port and the user it had before, which it keeps where it can
   * @param needsUser whether it runs as a user of its own
   * @throws DriverError when there is none
   */
  choose(
    id: string,
    before: { readonly port: number | null; readonly uid: number | null },
    needsUser: boolean,
  ): Promise<Place> {
    const chosen = this.turn.then(async () => {
      const others = await this.takenByOthers(id);
      const uid = needsUser ? (before.uid ?? (await newUser(others.users))) : null;
      const port = await this.port(before.port, others.ports);
      this.reserved.ports.add(port);
      if (uid !== null) this.reserved.users.add(uid);
      return { port, uid };
    });
    this.turn = chosen.catch(() => undefined);
    return chosen;
  }

  /** Called once the record of the sandbox names the place, or it is not wanted any more. */
  recorded({ port, uid }: Place): void {
    this.reserved.ports.delete(port);
    if (uid !== null) this.reserved.users.delete(uid);
  }

  private async port(before: number | null, taken: ReadonlySet<number>): Promise<number> {
    const port = await freePort(this.settings.SANDBOX_HOST, before, taken);
    if (port === null) throw new DriverError('The host has no free port for an agent server.');
    return port;
  }

  private async takenByOthers(own: string): Promise<{ ports: Set<number>; users: Set<number> }> {
    // In the network of a sandbox these lead to the service.
    const { PORT, CALLBACK_PORT = PORT } = this.settings;
    const ports = new Set([...this.reserved.ports, PORT, CALLBACK_PORT]);
    const users = new Set(this.reserved.users);
    for (const id of await this.files.ids()) {
      const control = id === own ? null : await this.files.read(id);
      if (control === null) continue;
      ports.add(control.port);
      if (control.uid !== null) users.add(control.uid);
    }
    return { ports, users };
  }
}
