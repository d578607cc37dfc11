import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { DirectoryCaller } from '../../../kernel/auth';
import { Clock, newId, parseUuid } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { patchOperations } from '../patch/patch-operations';
import { loadLibraries } from '../protocol/libraries';
import { type ListRequest, listResponse } from '../protocol/list-request';
import { project, type Projection, shows } from '../protocol/projection';
import { Answered, type ChangeOptions, SCIM_PATH } from '../protocol/scim-operations';
import { DirectoryChanges } from '../record/directory-changes';
import { MAX_GROUP_OPERATIONS, MAX_GROUPS, MAX_SHOWN_MEMBERS } from '../record/limits';
import { ScimGroup } from '../record/scim-group.entity';
import type { Resource } from '../record/scim-user.entity';
import { ScimError, ScimNotFoundError } from '../record/scim.errors';
import { GroupRoles } from '../roles/group-roles';
import { GROUP, GROUPS } from '../schema/attributes';
import { assertVersion, metaOf, versionOf } from '../schema/meta';
import { isUri } from '../schema/read-resource';
import { type GroupPatch, patchedGroup, saidOfGroup } from './group-changes';
import { GroupMembers } from './group-members';
import { touchGroup } from './scim-groups.query';
import {
  countGroups,
  type ScimGroupRow,
  selectGroup,
  selectGroups,
  selectMembers,
  type ShownMember,
} from './scim-groups.read-model';

/**
 * The groups of organizations' directories (docs/scim.md#groups). As with people, changes happen under the lock of the
 * organization; whoever comes into a group with a role, or leaves one, has another role in the same transaction.
 */
@Injectable()
export class ScimGroups {
  private readonly base: string;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(ScimGroup) private readonly groups: Repository<ScimGroup>,
    @Inject(SETTINGS) settings: Settings,
    private readonly changes: DirectoryChanges,
    private readonly members: GroupMembers,
    private readonly roles: GroupRoles,
    private readonly clock: Clock,
  ) {
    this.base = `${publicUrl(settings)}/${SCIM_PATH}`;
  }

  /** A page of groups. @throws ScimError */
  async list({ orgId }: DirectoryCaller, request: ListRequest): Promise<object> {
    const { rows, total } = await selectGroups(this.database, orgId, request, await loadLibraries());
    const resources = await this.resources(orgId, rows, request.projection);
    return listResponse(resources, total, request);
  }

  /** @throws ScimNotFoundError */
  async get({ orgId }: DirectoryCaller, id: string, projection: Projection): Promise<Answered> {
    return this.answer(orgId, await found(this.database.manager, orgId, id), projection);
  }

  /** @throws ScimError */
  async create({ orgId }: DirectoryCaller, body: unknown, projection: Projection): Promise<Answered> {
    const { resource, members } = saidOfGroup(body);
    const id = newId();
    const made = await this.change(orgId, projection, async (transaction) => {
      if ((await countGroups(transaction, orgId)) >= MAX_GROUPS)
        throw new ScimError(409, 'tooMany', `A directory has at most ${MAX_GROUPS} groups.`);
      await transaction.withRepository(this.groups).insert({ orgId, id, resource });
      await this.members.change(transaction, { orgId, groupId: id }, [{ op: 'add', ids: members ?? [] }]);
      return id;
    });
    return made.at(`${this.base}/Groups/${id}`);
  }

  /** What a directory says of a group in place of what it said; without `members`, nobody is in it. @throws ScimError */
  replace(directory: DirectoryCaller, id: string, body: unknown, options: ChangeOptions): Promise<Answered> {
    const { resource, members } = saidOfGroup(body);
    return this.update(directory, id, options, () => ({
      resource,
      members: [{ op: 'replace', ids: members ?? [] }],
    }));
  }

  /** @throws ScimError */
  async patch(
    directory: DirectoryCaller,
    id: string,
    body: unknown,
    options: ChangeOptions,
  ): Promise<Answered> {
    const operations = patchOperations(body, MAX_GROUP_OPERATIONS);
    const libraries = await loadLibraries();
    return this.update(directory, id, options, ({ resource }) =>
      patchedGroup(resource, operations, libraries),
    );
  }

  /** Who was in it has the role of their other groups. @throws ScimError */
  async delete({ orgId }: DirectoryCaller, id: string, ifMatch: string | undefined): Promise<void> {
    await this.changes.make(orgId, async (transaction) => {
      const row = await found(transaction, orgId, id);
      assertVersion(row, ifMatch);
      const people = await this.members.all(transaction, { orgId, groupId: row.id });
      await transaction.withRepository(this.groups).delete({ orgId, id: row.id });
      if (row.role !== null) await this.roles.apply(transaction, orgId, people);
    });
  }

  private update(
    { orgId }: DirectoryCaller,
    id: string,
    { projection, ifMatch }: ChangeOptions,
    change: (row: ScimGroupRow) => GroupPatch,
  ): Promise<Answered> {
    return this.change(orgId, projection, async (transaction) => {
      const row = await found(transaction, orgId, id);
      assertVersion(row, ifMatch);
      const { resource, members } = change(row);
      const group = { orgId, groupId: row.id };
      const people = await this.members.change(transaction, group, members);
      if (people.size > 0 || !isDeepStrictEqual(resource, row.resource))
        await touchGroup(transaction, group, resource, this.clock.now());
      if (row.role !== null) await this.roles.apply(transaction, orgId, [...people]);
      return row.id;
    });
  }

  private async change(
    orgId: string,
    projection: Projection,
    change: (transaction: EntityManager) => Promise<string>,
  ): Promise<Answered> {
    const row = await this.changes.make(orgId, async (transaction) =>
      found(transaction, orgId, await change(transaction)),
    );
    return this.answer(orgId, row, projection);
  }

  private async answer(orgId: string, row: ScimGroupRow, projection: Projection): Promise<Answered> {
    const [resource = {}] = await this.resources(orgId, [row], projection);
    return new Answered(resource, versionOf(row));
  }

  private async membersOf(
    orgId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ShownMember[]>> {
    const byGroup = new Map<string, ShownMember[]>();
    if (ids.length === 0) return byGroup;
    for (const member of await selectMembers(this.database, orgId, ids)) {
      const known = byGroup.get(member.group_id);
      if (known === undefined) byGroup.set(member.group_id, [member]);
      else known.push(member);
    }
    return byGroup;
  }

  /** Groups as the directory is shown them; members are read where they are asked for. @throws ScimError */
  private async resources(
    orgId: string,
    rows: readonly ScimGroupRow[],
    projection: Projection,
  ): Promise<Resource[]> {
    const shown = shows(projection, 'members') ? rows.filter(({ members }) => members > 0) : [];
    if (shown.reduce((sum, { members }) => sum + members, 0) > MAX_SHOWN_MEMBERS)
      throw new ScimError(
        400,
        'tooMany',
        `These groups have more than ${MAX_SHOWN_MEMBERS} members: ask for fewer, or with excludedAttributes=members.`,
      );
    const members = await this.membersOf(
      orgId,
      shown.map(({ id }) => id),
    );
    return rows.map((row) => {
      const people = (members.get(row.id) ?? []).map(({ value }) => ({
        value,
        $ref: `${this.base}/Users/${value}`,
        type: 'User',
      }));
      const resource = {
        schemas: [GROUP.id, ...Object.keys(row.resource).filter(isUri)],
        id: row.id,
        ...row.resource,
        ...(people.length > 0 && { members: people }),
        meta: metaOf(GROUPS, row, this.base),
      };
      return project(resource, projection);
    });
  }
}

async function found(transaction: EntityManager, orgId: string, idText: string): Promise<ScimGroupRow> {
  const id = parseUuid(idText);
  const row = id === null ? null : await selectGroup(transaction, orgId, id);
  if (row === null) throw new ScimNotFoundError(idText);
  return row;
}
