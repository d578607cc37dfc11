import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type SandboxCaller, SandboxCredentialVerifier } from '../../../kernel/auth';
import { digestOf, type Person } from '../../../kernel/common';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { Sandbox } from '../record/sandbox.entity';
import { ExternalOrganization } from './external-organization.read-model';
import { SandboxReader } from './sandbox-reader';

/** Finds the sandbox behind the key that an agent server sends. */
@Injectable()
export class SessionKeyVerifier extends SandboxCredentialVerifier {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly drivers: SandboxDrivers,
    private readonly external: ExternalOrganization,
  ) {
    super();
  }

  async verify(key: string): Promise<SandboxCaller | null> {
    if (this.isSharedKey(key)) return this.callerOfSharedServer();
    const sandbox = await this.sandboxes.findOne({
      select: { id: true, orgId: true, createdByUserId: true },
      where: { sessionKeyDigest: digestOf(key) },
    });
    return sandbox === null
      ? null
      : { sandboxId: sandbox.id, orgId: sandbox.orgId, createdByUserId: sandbox.createdByUserId };
  }

  private async callerOfSharedServer(): Promise<SandboxCaller | null> {
    const { singleOrganization } = this.drivers.current.capabilities;
    const served = singleOrganization ? await this.external.served() : '*';
    if (served === null) return null;
    return { sandboxId: null, orgId: served === '*' ? null : served, createdByUserId: null };
  }

  private isSharedKey(key: string): boolean {
    const { capabilities, sharedApiKey } = this.drivers.current;
    if (!capabilities.sharedServer || sharedApiKey === undefined) return false;
    return timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(digestOf(sharedApiKey)));
  }
}

/** Tells who works in a running sandbox of their own, by its key (docs/contract.md#secrets-for-sandboxes). */
@Injectable()
export class SandboxProof {
  constructor(
    private readonly keys: SessionKeyVerifier,
    private readonly sandboxes: SandboxReader,
  ) {}

  /**
   * Whether a key is that of a running sandbox which this person made in this organization. The key of a server that
   * several sandboxes share proves nothing.
   */
  async isOwn({ userId, orgId }: Person, key: string): Promise<boolean> {
    const caller = await this.keys.verify(key);
    if (caller === null || caller.sandboxId === null) return false;
    if (caller.createdByUserId !== userId || caller.orgId !== orgId) return false;
    const sandbox = await this.sandboxes.byId(caller.sandboxId);
    return sandbox !== null && sandbox.status === 'RUNNING' && !sandbox.stopping;
  }
}
