import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxLifecycle } from './desired-state/sandbox-lifecycle';

const AT_ONCE = 500;

/** The sandboxes of an organization that is being deleted. */
@Injectable()
export class OrganizationSandboxes {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly lifecycle: SandboxLifecycle,
  ) {}

  /**
   * Has all deleted, with what their drivers keep of them; agent servers that others share are told what to forget.
   * @returns whether all are gone
   */
  async endAll(orgId: string): Promise<boolean> {
    const left = await this.sandboxes.find({
      select: { id: true, stopping: true },
      where: { orgId, status: Not('MISSING') },
      order: { id: 'ASC' },
      take: AT_ONCE,
    });
    for (const { id, stopping } of left)
      if (stopping !== 'delete')
        await this.sandboxes.manager.transaction((transaction) => this.lifecycle.delete(transaction, id));
    return left.length === 0;
  }
}
