import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { noteTarget } from '../../../kernel/audit';
import {
  type Asker,
  type Caller,
  mayEnter,
  type OrgContext,
  OrgResolution,
  personOf,
  type SandboxCaller,
  ServiceActor,
} from '../../../kernel/auth';
import { LegalHolds } from '../../../accounts/legal-holds';
import { clampLimit, type Page, pageOf } from '../../../kernel/common';
import { readUuid } from '../../../kernel/validation';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { FROM_PAGE, SANDBOX_PAGES } from './sandbox-page.query';
import { SandboxReader } from '../access/sandbox-reader';
import { SandboxAvailability } from '../lifecycle/desired-state/sandbox-availability';
import { SandboxLifecycle } from '../lifecycle/desired-state/sandbox-lifecycle';
import { isResumable } from '../lifecycle/desired-state/transitions';
import { Sandbox } from '../record/sandbox.entity';
import type { SandboxInfo, SandboxSpecInfo, SandboxSpecPage } from './sandboxes.dto';
import {
  SandboxNotFoundError,
  SandboxSpecNotFoundError,
  SandboxNotPausableError,
  SandboxNotResumableError,
} from '../record/sandboxes.errors';
import type { SandboxView } from '../record/sandbox-view';

/** What callers do with their own sandboxes (docs/contract.md#sandboxes). */
@Injectable()
export class SandboxesService {
  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly organizations: OrgResolution,
    private readonly desired: SandboxLifecycle,
    private readonly views: SandboxReader,
    private readonly drivers: SandboxDrivers,
    private readonly availability: SandboxAvailability,
    private readonly holds: LegalHolds,
  ) {}

  /** @throws SandboxSpecNotFoundError, ConcurrencyLimitReachedError, DriverNotAvailableError */
  async create(caller: Caller, org: OrgContext, specId: string | undefined): Promise<SandboxInfo> {
    if (specId !== undefined && specId !== this.drivers.current.name) throw new SandboxSpecNotFoundError();
    const sandbox = await this.sandboxes.manager.transaction(async (tx) => {
      const id = await this.desired.create(tx, personOf(caller, org));
      noteTarget('sandbox', id);
      return tx.findOneByOrFail(Sandbox, { id });
    });
    return this.info(caller, sandbox);
  }

  /** @returns one entry for each id, null where it is unknown or not the caller's */
  async get(caller: Caller, ids: readonly string[]): Promise<(SandboxInfo | null)[]> {
    return Promise.all(
      ids.map(async (id) => {
        const sandbox = await this.find(caller, id);
        return sandbox === null ? null : this.info(caller, sandbox);
      }),
    );
  }

  /** The caller's sandboxes in the organization, newest first. */
  async search(
    caller: Caller,
    org: OrgContext,
    query: { page_id?: string; limit: number },
  ): Promise<Page<SandboxInfo>> {
    const limit = clampLimit(query.limit);
    const rows = this.sandboxes
      .createQueryBuilder('sandbox')
      .where('sandbox.createdByUserId = :userId AND sandbox.orgId = :orgId', {
        userId: caller.userId,
        orgId: org.orgId,
      })
      .orderBy({ 'sandbox.createdAt': 'DESC', 'sandbox.id': 'DESC' })
      .limit(limit + 1);
    if (caller.letInBy !== null) rows.andWhere('sandbox.byLink');
    const from = SANDBOX_PAGES.read(query.page_id);
    if (from !== null) rows.andWhere(FROM_PAGE, from);
    return pageOf(
      await rows.getMany(),
      limit,
      (sandbox) => this.info(caller, sandbox),
      ({ createdAt, id }) => SANDBOX_PAGES.write({ at: createdAt, id }),
    );
  }

  /**
   * @param transaction the caller's, over whose connection alone anything is asked then
   * @throws SandboxNotFoundError, SandboxNotResumableError, ConcurrencyLimitReachedError, SandboxDriverUnavailableError
   */
  async resume(caller: Asker, id: string, transaction?: EntityManager): Promise<void> {
    const sandbox = await this.require(caller, id, transaction);
    if (sandbox.status === 'RUNNING' || sandbox.status === 'STARTING') return;
    if (!isResumable(sandbox)) throw new SandboxNotResumableError();
    if (transaction !== undefined) return this.desired.resume(transaction, sandbox.id);
    await this.availability.assertStartable(sandbox);
    await this.sandboxes.manager.transaction((tx) => this.desired.resume(tx, sandbox.id));
  }

  /** As {@link resume}. @throws SandboxNotFoundError, SandboxNotPausableError, SandboxDriverUnavailableError */
  async pause(caller: Asker, id: string, transaction?: EntityManager): Promise<void> {
    const sandbox = await this.require(caller, id, transaction);
    if (sandbox.stopping === 'delete' || sandbox.status === 'ERROR') throw new SandboxNotPausableError();
    if (transaction !== undefined) return this.desired.pause(transaction, sandbox.id);
    await this.availability.assertHostPresent(sandbox);
    await this.sandboxes.manager.transaction((tx) => this.desired.pause(tx, sandbox.id));
  }

  /** @throws SandboxNotFoundError, LegalHoldError */
  async delete(caller: Caller, id: string): Promise<void> {
    const sandbox = await this.require(caller, id);
    await this.sandboxes.manager.transaction(async (tx) => {
      await this.desired.lock(tx, [sandbox.id]);
      await this.holds.checkSandbox(tx, sandbox.id);
      await this.desired.delete(tx, sandbox.id);
    });
  }

  /** What kinds of sandboxes this installation offers. */
  specs(limit: number): SandboxSpecPage {
    return { items: [this.spec()].slice(0, limit), next_page_id: null };
  }

  /** @returns one entry for each id, null where there is no such kind */
  specsOf(ids: readonly string[]): (SandboxSpecInfo | null)[] {
    const spec = this.spec();
    return ids.map((id) => (id === spec.id ? spec : null));
  }

  /**
   * The sandbox that an agent server names.
   * @throws SandboxNotFoundError when the key of the call is not that of the sandbox
   */
  async speaksFor(
    caller: SandboxCaller,
    text: string,
  ): Promise<Pick<Sandbox, 'id' | 'createdByUserId' | 'orgId' | 'byLink'>> {
    const id = readUuid(text);
    const sandbox = id === undefined ? null : await this.sandboxes.findOneBy({ id });
    const isOwn =
      caller.sandboxId === null
        ? sandbox !== null &&
          this.drivers.sharesServer(sandbox.driver) &&
          (caller.orgId === null || caller.orgId === sandbox.orgId)
        : sandbox?.id === caller.sandboxId;
    if (sandbox === null || !isOwn) throw new SandboxNotFoundError();
    return sandbox;
  }

  /** A sandbox of the caller's. @throws SandboxNotFoundError also for one that is gone */
  async require(caller: Asker, id: string, transaction?: EntityManager): Promise<Sandbox> {
    const sandbox = await this.find(caller, id, transaction);
    if (sandbox === null || sandbox.status === 'MISSING') throw new SandboxNotFoundError();
    return sandbox;
  }

  private spec(): SandboxSpecInfo {
    const { name, description } = this.drivers.current;
    return { id: name, description };
  }

  /**
   * Only the creator, while a member of its organization, has a sandbox, and may enter it (docs/contract.md#own-conversations);
   * the service itself has those of its organization.
   */
  async find(caller: Asker, text: string, transaction?: EntityManager): Promise<Sandbox | null> {
    const id = readUuid(text);
    if (id === undefined) return null;
    const sandbox = await (transaction ?? this.sandboxes.manager).findOneBy(Sandbox, { id });
    if (sandbox === null || !mayEnter(caller, sandbox)) return null;
    if (!(caller instanceof ServiceActor) && sandbox.createdByUserId !== caller.userId) return null;
    if (!(await this.organizations.mayUse(caller, sandbox.orgId))) return null;
    return sandbox;
  }

  /** A sandbox as a reader sees it: its key and addresses are for its creator. */
  info(reader: Asker, sandbox: Sandbox): SandboxInfo {
    const isCreator = sandbox.createdByUserId === reader.userId;
    return sandboxInfo(sandbox, isCreator ? this.views.ofEntity(sandbox) : UNREACHABLE);
  }
}

const UNREACHABLE = { publicUrl: null, sessionApiKey: null };

/** A sandbox as it is answered. */
function sandboxInfo(sandbox: Sandbox, view: Pick<SandboxView, 'publicUrl' | 'sessionApiKey'>): SandboxInfo {
  const { port } = sandbox;
  return {
    id: sandbox.id,
    created_by_user_id: sandbox.createdByUserId,
    sandbox_spec_id: sandbox.driver,
    status: sandbox.status,
    session_api_key: view.sessionApiKey,
    exposed_urls:
      view.publicUrl === null || port === null ? null : [{ name: 'AGENT_SERVER', url: view.publicUrl, port }],
    created_at: sandbox.createdAt.toISOString(),
    status_detail: sandbox.statusDetail,
  };
}
