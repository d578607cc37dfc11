import { type Engine, reasonOf, statusOf } from '../engine';
import type { ContainerSpec } from '../names';

/** The volumes of sandboxes, with a quota where the engine has them (docs/docker.md#disk). */
export class Volumes {
  private hasQuotas = true;

  /** @param mebibytes what one may take (`SANDBOX_DISK_MEBIBYTES`) */
  constructor(
    private readonly engine: Engine,
    private readonly mebibytes: number,
  ) {}

  /** Makes the volume of a spec; nothing happens where it is there. */
  async create({ store, labels }: ContainerSpec): Promise<void> {
    const make = (options: Record<string, string>): Promise<unknown> =>
      this.engine.use((docker) =>
        docker.createVolume({ Name: store, Labels: { ...labels }, DriverOpts: options }),
      );
    if (!this.hasQuotas) {
      await make({});
      return;
    }
    await make({ size: `${this.mebibytes}m` }).catch(async (error: unknown) => {
      if (!isWithoutQuotas(error)) throw error;
      this.hasQuotas = false;
      await make({});
    });
  }
}

/** Whether the engine refuses the size, because of the file system that it has or because it knows no sizes. */
function isWithoutQuotas(error: unknown): boolean {
  return statusOf(error) !== null && /quota|option/i.test(reasonOf(error));
}
