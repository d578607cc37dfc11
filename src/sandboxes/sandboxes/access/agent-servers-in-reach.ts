import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AgentServer } from '../../agent-server';
import type { Person } from '../../../kernel/common';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { Sandbox } from '../record/sandbox.entity';
import { AgentServers } from './agent-servers';
import { ExternalOrganization } from './external-organization.read-model';

/** Finds agent servers for calls that concern no conversation. */
@Injectable()
export class AgentServersInReach {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly agentServers: AgentServers,
    private readonly drivers: SandboxDrivers,
    private readonly external: ExternalOrganization,
  ) {}

  /**
   * The one that the person's new sandboxes will share; where each has its own, that of the person's newest running
   * sandbox that was made as they came, by a link or by themselves. Never another: who made it decides what it answers.
   * @returns null if there is none
   */
  async of(person: Person): Promise<AgentServer | null> {
    return (await this.shared(person)) ?? (await this.ofNewestSandbox(person));
  }

  private async shared({ orgId }: Person): Promise<AgentServer | null> {
    const { name, capabilities, sharedBaseUrl } = this.drivers.current;
    if (!capabilities.sharedServer || sharedBaseUrl === undefined) return null;
    if (capabilities.singleOrganization && !(await this.external.serves(this.sandboxes.manager, orgId)))
      return null;
    return this.agentServers.addressWith({ driver: name, baseUrl: sharedBaseUrl, listenerUid: null }, null);
  }

  private async ofNewestSandbox({ userId, orgId, byLink }: Person): Promise<AgentServer | null> {
    const sandbox = await this.sandboxes.findOne({
      where: { createdByUserId: userId, orgId, byLink, status: 'RUNNING' },
      order: { createdAt: 'DESC' },
    });
    return sandbox === null ? null : this.agentServers.addressOf(sandbox);
  }
}
