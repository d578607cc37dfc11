import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { hostBound, JobHandlers } from '../jobs';
import { SandboxDrivers } from './drivers/sandbox-drivers';
import { Hosts } from './hosts';
import { SandboxLeftover } from './sandbox-leftover.entity';
import { SandboxStore } from './sandbox-store';
import { SandboxWishes } from './sandbox-wishes';
import { Sandbox } from './sandbox.entity';

const LEFTOVERS_SECONDS = 10;

/** What becomes of sandboxes when their people leave: paused with a member, removed with an organization. */
@Injectable()
export class Departures {
  constructor(
    handlers: JobHandlers,
    hosts: Hosts,
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: SandboxStore,
    private readonly wishes: SandboxWishes,
    private readonly drivers: SandboxDrivers,
  ) {
    const member = z.object({ org_id: z.string(), user_id: z.string() });
    handlers.register('member-removed', member, ({ org_id, user_id }) => this.pauseAll(org_id, user_id));
    handlers.every(hostBound('sandbox-leftovers', hosts.own), LEFTOVERS_SECONDS, () =>
      this.removeLeftovers(hosts.own),
    );
  }

  /** Decisions 3: removing a member pauses their sandboxes. Who is a member again keeps theirs. */
  private async pauseAll(orgId: string, userId: string): Promise<void> {
    const sandboxes = await this.database.manager
      .createQueryBuilder(Sandbox, 'sandbox')
      .where('sandbox.orgId = :orgId AND sandbox.createdByUserId = :userId', { orgId, userId })
      .andWhere(`sandbox.status IN ('STARTING', 'RUNNING')`)
      .andWhere('NOT EXISTS (SELECT FROM org_members WHERE org_id = :orgId AND user_id = :userId)')
      .getMany();
    for (const { id } of sandboxes) await this.store.change(id, (sandbox) => this.wishes.paused(sandbox));
  }

  private async removeLeftovers(hostId: string): Promise<void> {
    const leftovers = await this.database.manager.findBy(SandboxLeftover, { hostId });
    for (const { sandboxId, driver } of leftovers) {
      await this.drivers.named(driver).delete({ id: sandboxId, sessionKey: '', port: null });
      await this.database.manager.delete(SandboxLeftover, { sandboxId });
    }
  }
}
