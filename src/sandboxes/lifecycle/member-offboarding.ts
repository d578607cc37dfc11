import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { JobHandlers } from '../../jobs';
import { SandboxStore } from '../record/sandbox-store';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxDesiredState } from './sandbox-desired-state';

const member = z.object({ org_id: z.string(), user_id: z.string() });

/**
 * Pauses the sandboxes of a member who was removed (docs/contract.md#member-rules). Who is a member
 * again keeps theirs.
 */
@Injectable()
export class MemberOffboarding {
  constructor(
    handlers: JobHandlers,
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: SandboxStore,
    private readonly desired: SandboxDesiredState,
  ) {
    handlers.register('member-removed', member, ({ org_id, user_id }) => this.pauseAll(org_id, user_id));
  }

  private async pauseAll(orgId: string, userId: string): Promise<void> {
    const sandboxes = await this.database.manager
      .createQueryBuilder(Sandbox, 'sandbox')
      .where('sandbox.orgId = :orgId AND sandbox.createdByUserId = :userId', { orgId, userId })
      .andWhere(`sandbox.status IN ('STARTING', 'RUNNING')`)
      .andWhere('NOT EXISTS (SELECT FROM org_members WHERE org_id = :orgId AND user_id = :userId)')
      .getMany();
    for (const { id } of sandboxes) await this.store.change(id, (sandbox) => this.desired.paused(sandbox));
  }
}
