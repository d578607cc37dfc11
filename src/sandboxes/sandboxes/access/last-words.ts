import { stripVTControlCharacters } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Hosts } from '../hosts/hosts';
import { Sandbox } from '../record/sandbox.entity';
import { SandboxRuntime } from './sandbox-runtime';

const LINES = 10;
const BYTES = 2_000;
const BEGIN = "The agent server's last lines: ";

/** The last lines that agent servers wrote, for messages about a failure. */
@Injectable()
export class LastWords {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly hosts: Hosts,
    private readonly runtime: SandboxRuntime,
  ) {}

  /**
   * @param bytes how much of them at most
   * @returns a sentence with the lines; null where there are none, where this process does not reach them, or where the status of
   *   the sandbox has them already
   */
  async of(sandboxId: string, bytes = BYTES): Promise<string | null> {
    const sandbox = await this.sandboxes.findOneBy({ id: sandboxId });
    if (sandbox === null || sandbox.status === 'MISSING' || !(await this.hosts.reaches(sandbox.hostId)))
      return null;
    if (sandbox.statusDetail?.includes(BEGIN)) return null;
    // An unreadable log must not hide why something failed.
    const lines = (await this.runtime.logs(sandbox, { lines: LINES, bytes }).catch(() => null)) ?? [];
    return lines.length === 0 ? null : BEGIN + stripVTControlCharacters(lines.join('\n'));
  }
}
