import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Hosts } from '../hosts/hosts';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxRuntime } from './sandbox-runtime';

const LIMIT = { lines: 10, bytes: 2_000 };

/** The last lines that agent servers wrote, for who says why something failed. */
@Injectable()
export class LastWords {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly hosts: Hosts,
    private readonly runtime: SandboxRuntime,
  ) {}

  /** @returns a sentence with the lines; null where there are none, or where this process does not reach them */
  async of(sandboxId: string): Promise<string | null> {
    const sandbox = await this.sandboxes.findOneBy({ id: sandboxId });
    if (sandbox === null || sandbox.status === 'MISSING' || !(await this.hosts.reaches(sandbox.hostId)))
      return null;
    // What cannot be read changes nothing about why something failed.
    const lines = (await this.runtime.logs(sandbox, LIMIT).catch(() => null)) ?? [];
    return lines.length === 0 ? null : `The agent server's last lines: ${lines.join('\n')}`;
  }
}
