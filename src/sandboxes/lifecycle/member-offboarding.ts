import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { JobHandlers } from '../../jobs';
import { SandboxStore } from '../record/sandbox-store';
import { pause } from './desired-state/transitions';
import { FormerMembers } from './former-members.read-model';

const member = z.object({ org_id: z.string(), user_id: z.string() });

/**
 * Pauses the sandboxes of a member who was removed (docs/contract.md#member-rules). Who is a member
 * again keeps theirs.
 */
@Injectable()
export class MemberOffboarding {
  constructor(
    handlers: JobHandlers,
    private readonly formerMembers: FormerMembers,
    private readonly store: SandboxStore,
  ) {
    handlers.register('member-removed', member, ({ org_id, user_id }) => this.pauseAll(org_id, user_id));
  }

  private async pauseAll(orgId: string, userId: string): Promise<void> {
    for (const { id } of await this.formerMembers.activeSandboxes(orgId, userId))
      await this.store.change(id, pause);
  }
}
