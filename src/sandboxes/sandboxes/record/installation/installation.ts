import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SandboxInstallation } from './sandbox-installation.entity';

/** Which installation this is: several may have their sandboxes in one place, and each cleans up after itself only. */
@Injectable()
export class Installation {
  private known: string | undefined;

  constructor(
    @InjectRepository(SandboxInstallation) private readonly installations: Repository<SandboxInstallation>,
  ) {}

  /** The same for all replicas, for good; a copy of the database has it too. */
  async id(): Promise<string> {
    this.known ??= (await this.installations.findOneOrFail({ where: {} })).id;
    return this.known;
  }
}
