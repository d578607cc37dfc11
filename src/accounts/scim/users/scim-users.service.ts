import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { DirectoryCaller } from '../../../kernel/auth';
import { Clock, newId, parseUuid } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { patchOperations } from '../patch/patch-operations';
import { patched } from '../patch/patch-resource';
import { loadLibraries } from '../protocol/libraries';
import { type ListRequest, listResponse } from '../protocol/list-request';
import { project, type Projection } from '../protocol/projection';
import { Answered, type ChangeOptions, SCIM_PATH } from '../protocol/scim-operations';
import { DirectoryChanges } from '../record/directory-changes';
import { MAX_USER_OPERATIONS, MAX_USERS } from '../record/limits';
import { ScimUser } from '../record/scim-user.entity';
import { ScimError, ScimNotFoundError } from '../record/scim.errors';
import { USERS } from '../schema/attributes';
import { assertVersion, versionOf } from '../schema/meta';
import { Provisioning } from './provisioning';
import { type ScimUserRow, selectConflicts, selectUser, selectUsers } from './scim-users.read-model';
import { addressOf, nameOf, type Said, said, userResource } from './user-resource';

/**
 * The people of organizations' directories (docs/scim.md#people). Everything that changes one happens under the lock of the
 * organization, which calls that change members take as well.
 */
@Injectable()
export class ScimUsers {
  private readonly base: string;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(ScimUser) private readonly users: Repository<ScimUser>,
    @Inject(SETTINGS) settings: Settings,
    private readonly changes: DirectoryChanges,
    private readonly provisioning: Provisioning,
    private readonly clock: Clock,
  ) {
    this.base = `${publicUrl(settings)}/${SCIM_PATH}`;
  }

  /** A page of people. @throws ScimError */
  async list({ orgId }: DirectoryCaller, request: ListRequest): Promise<object> {
    const { rows, total } = await selectUsers(this.database, orgId, request, await loadLibraries());
    const resources = rows.map((row) => project(userResource(row, this.base), request.projection));
    return listResponse(resources, total, request);
  }

  /** @throws ScimNotFoundError */
  async get({ orgId }: DirectoryCaller, id: string, projection: Projection): Promise<Answered> {
    return this.answer(await found(this.database.manager, orgId, id), projection);
  }

  /** A new person, or one who is a member already. @throws ScimError */
  async create({ orgId }: DirectoryCaller, body: unknown, projection: Projection): Promise<Answered> {
    const wanted = said(body);
    const person = { orgId, id: newId(), email: addressOf(wanted), name: nameOf(wanted) };
    const made = await this.change(orgId, projection, async (transaction) => {
      await this.checkNew(transaction, person, wanted);
      const userId = await this.provisioning.account(transaction, person);
      const users = transaction.withRepository(this.users);
      await users.delete({ orgId, email: person.email });
      const { id, email } = person;
      const active = wanted.active ?? true;
      await users.insert({ orgId, id, email, active, resource: wanted.resource });
      if (active) await this.provisioning.letIn(transaction, person, userId);
      else await this.provisioning.shutOut(transaction, orgId, userId);
      return id;
    });
    return made.at(`${this.base}/Users/${person.id}`);
  }

  /** What a directory says of a person in place of what it said; `active` stays where it says nothing of it. @throws ScimError */
  replace(directory: DirectoryCaller, id: string, body: unknown, options: ChangeOptions): Promise<Answered> {
    const wanted = said(body);
    return this.update(directory, id, options, () => wanted);
  }

  /** @throws ScimError */
  async patch(
    directory: DirectoryCaller,
    id: string,
    body: unknown,
    options: ChangeOptions,
  ): Promise<Answered> {
    const operations = patchOperations(body, MAX_USER_OPERATIONS);
    const libraries = await loadLibraries();
    return this.update(directory, id, options, ({ resource, wanted: active }) =>
      said(patched(USERS, { ...resource, active }, operations, libraries)),
    );
  }

  /**
   * Ends the membership, and forgets what was said; the address stays out. @throws ScimError
   */
  async delete({ orgId }: DirectoryCaller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.changes.make(orgId, async (transaction) => {
      const row = await found(transaction, orgId, id);
      assertVersion(row, ifMatch);
      if (row.user_id !== null) await this.provisioning.shutOut(transaction, orgId, row.user_id);
      const users = transaction.withRepository(this.users);
      const { email } = row;
      // Another id: nothing of the groups is left of it either.
      await users.delete({ orgId, id: row.id });
      await users.insert({
        orgId,
        id: newId(),
        email,
        active: false,
        resource: {},
        deletedAt: this.clock.now(),
      });
    });
  }

  private update(
    { orgId }: DirectoryCaller,
    id: string,
    { projection, ifMatch }: ChangeOptions,
    change: (row: ScimUserRow) => Said,
  ): Promise<Answered> {
    return this.change(orgId, projection, async (transaction) => {
      const row = await found(transaction, orgId, id);
      assertVersion(row, ifMatch);
      const wanted = change(row);
      const { userName } = wanted;
      const { userName: before } = row.resource;
      const isSameName = typeof before === 'string' && before.toLowerCase() === userName.toLowerCase();
      // Not asked for the same name: the answer also counts all people.
      if (!isSameName) {
        const conflicts = await selectConflicts(transaction, orgId, { userName, email: row.email });
        if (conflicts?.same_name === true) throw nameTaken();
      }
      await this.store(transaction, { orgId, row, wanted });
      return row.id;
    });
  }

  private async store(
    transaction: EntityManager,
    { orgId, row, wanted }: { readonly orgId: string; readonly row: ScimUserRow; readonly wanted: Said },
  ): Promise<void> {
    const { id, email } = row;
    const person = { orgId, id, email, name: nameOf(wanted) };
    const active = wanted.active ?? row.wanted;
    const isSame = row.wanted === active && isDeepStrictEqual(row.resource, wanted.resource);
    if (!isSame) {
      const users = transaction.withRepository(this.users);
      const { resource } = wanted;
      const updatedAt = this.clock.now();
      await users.update({ orgId, id }, { active, resource, updatedAt, version: row.version + 1 });
    }
    const userId = row.user_id ?? (await this.provisioning.account(transaction, person));
    await this.provisioning.rename(transaction, person, userId);
    if (active && !row.is_member) await this.provisioning.letIn(transaction, person, userId);
    if (!active) await this.provisioning.shutOut(transaction, orgId, userId);
  }

  /** Asserts that nothing stands in the way of a new person. @throws ScimError */
  private async checkNew(
    transaction: EntityManager,
    { orgId, email }: { readonly orgId: string; readonly email: string },
    { userName }: Said,
  ): Promise<void> {
    const conflicts = await selectConflicts(transaction, orgId, { userName, email });
    if (conflicts?.same_name === true) throw nameTaken();
    if (conflicts?.same_email === true)
      throw new ScimError(409, 'uniqueness', 'There is another person with the same e-mail address.');
    if (conflicts !== null && conflicts.people >= MAX_USERS)
      throw new ScimError(409, 'tooMany', `A directory has at most ${MAX_USERS} people.`);
  }

  private async change(
    orgId: string,
    projection: Projection,
    change: (transaction: EntityManager) => Promise<string>,
  ): Promise<Answered> {
    const row = await this.changes.make(orgId, async (transaction) =>
      found(transaction, orgId, await change(transaction)),
    );
    return this.answer(row, projection);
  }

  private answer(row: ScimUserRow, projection: Projection): Answered {
    return new Answered(project(userResource(row, this.base), projection), versionOf(row));
  }
}

async function found(transaction: EntityManager, orgId: string, idText: string): Promise<ScimUserRow> {
  const id = parseUuid(idText);
  const row = id === null ? null : await selectUser(transaction, orgId, id);
  if (row === null) throw new ScimNotFoundError(idText);
  return row;
}

function nameTaken(): ScimError {
  return new ScimError(409, 'uniqueness', 'There is another person with this userName.');
}
