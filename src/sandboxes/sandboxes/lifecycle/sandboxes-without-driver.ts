import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import { deletedWithout } from './desired-state/status-details';
import { missing } from './desired-state/transitions';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { SandboxLeftover } from '../record/sandbox-leftover.entity';
import { SandboxStore } from '../record/sandbox-store';
import { Sandbox } from '../record/sandbox.entity';
import { SANDBOXES_BY_DRIVER, type SandboxesOfDriver } from './sandboxes-by-driver.query';

/** Sandboxes whose driver nobody registers, as that of an extension that is not loaded. */
@Injectable()
export class SandboxesWithoutDriver {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly store: SandboxStore,
    private readonly drivers: SandboxDrivers,
  ) {}

  /** Those that are not deleted, and those of which something is left, by their drivers. */
  async counts(): Promise<SandboxesOfDriver[]> {
    const rows = await SANDBOXES_BY_DRIVER.rows(this.sandboxes.manager, []);
    return rows.filter(({ driver }) => this.drivers.find(driver) === undefined);
  }

  /**
   * Deletes all of a driver here, and forgets what was to be removed of others. What they run on stays.
   * @returns how many were not deleted yet, or had something left
   */
  async deleteAll(driver: string): Promise<number> {
    const found = await this.sandboxes.find({
      select: { id: true },
      where: { driver, status: Not('MISSING') },
    });
    for (const { id } of found) await this.store.change(id, () => ({ set: missing(deletedWithout(driver)) }));
    const { affected } = await this.sandboxes.manager.delete(SandboxLeftover, { driver });
    return found.length + (affected ?? 0);
  }
}
