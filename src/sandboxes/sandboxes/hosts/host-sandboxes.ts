import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxHost } from './sandbox-host.entity';
import { HOST_AWAY_SECONDS } from './hosts';

/** Reads sandboxes by the host they live on. */
@Injectable()
export class HostSandboxes {
  constructor(@InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>) {}

  /** Sandboxes of some drivers that run or start. */
  activeOf(hostId: string, drivers: readonly string[]): Promise<Sandbox[]> {
    return this.sandboxes.findBy({
      hostId,
      driver: In(drivers),
      status: In(['STARTING', 'RUNNING']),
      stopping: IsNull(),
    });
  }

  /** Sandboxes that were paused because the service stopped. */
  pausedWith(hostId: string): Promise<Sandbox[]> {
    return this.sandboxes.findBy({ hostId, resumesWithHost: true });
  }

  /** Sandboxes in ERROR with this detail. */
  failedOf(hostId: string, statusDetail: string): Promise<Sandbox[]> {
    return this.sandboxes.findBy({ hostId, status: 'ERROR', statusDetail });
  }

  /** Sandboxes that run, start or stop on a host that was not seen for too long. */
  async idsOfAwayHosts(): Promise<string[]> {
    const sandboxes = await this.sandboxes
      .createQueryBuilder('sandbox')
      .select('sandbox.id')
      .leftJoin(SandboxHost, 'host', 'host.id = sandbox.hostId')
      .where('sandbox.hostId IS NOT NULL')
      .andWhere(`(sandbox.status IN ('STARTING', 'RUNNING') OR sandbox.stopping IS NOT NULL)`)
      .andWhere(`(host.seenAt IS NULL OR host.seenAt < now() - :away * interval '1 second')`, {
        away: HOST_AWAY_SECONDS,
      })
      .getMany();
    return sandboxes.map(({ id }) => id);
  }
}
