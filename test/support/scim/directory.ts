import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import type { TestApp } from '../service/app';
import { call, type HttpResponse } from '../service/http';

/** A resource, list or error, as tests read it. */
export interface ScimBody {
  readonly id: string;
  readonly schemas: readonly string[];
  readonly userName: string;
  readonly externalId?: string;
  readonly displayName?: string;
  readonly active: boolean;
  readonly emails: readonly { readonly value: string; readonly type?: string; readonly primary?: boolean }[];
  readonly name?: Readonly<Record<string, string>>;
  readonly members?: readonly { readonly value: string }[];
  readonly groups?: readonly { readonly value: string; readonly display: string }[];
  readonly meta: { readonly location: string; readonly version: string; readonly lastModified: string };
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly ScimBody[];
  readonly status: string;
  readonly scimType?: string;
  readonly detail: string;
}

/** The directory of an organization, as an identity provider is one. */
export class Directory {
  private constructor(
    readonly app: Pick<TestApp, 'url' | 'db'>,
    readonly owner: TestCaller,
    readonly token: string,
  ) {}

  /** Of a new organization, or of the one of an owner. */
  static async make(app: Pick<TestApp, 'url' | 'db'>, known?: TestCaller): Promise<Directory> {
    const owner = known ?? (await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner'));
    const path = `/api/organizations/${owner.orgId}/scim-tokens`;
    const { body } = await call<{ token: string }>(app, 'POST', path, {
      key: owner.key,
      body: { name: 'A directory' },
    });
    return new Directory(app, owner, body.token);
  }

  get orgId(): string {
    return this.owner.orgId;
  }

  /** Calls an operation of the protocol. @param path below `/scim/v2` */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse<ScimBody>> {
    return call<ScimBody>(this.app, method, `/scim/v2${path}`, {
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/scim+json', ...headers },
      ...(body !== undefined && { body }),
    });
  }

  /** The status of what is sent, and its answer. */
  async sent(method: string, path: string, body?: unknown): Promise<ScimBody> {
    const response = await this.send(method, path, body);
    if (response.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  /** Provisions a person. */
  async person(userName: string, more: object = {}): Promise<ScimBody> {
    return this.sent('POST', '/Users', personCalled(userName, more));
  }

  /** Finds people by a filter. @returns their user names */
  async found(filter: string): Promise<string[]> {
    const { Resources } = await this.sent('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    return Resources.map(({ userName }) => userName);
  }

  /** Says whether a person is active. */
  async setActive(id: string, active: boolean): Promise<HttpResponse<ScimBody>> {
    return this.send('PATCH', `/Users/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: active }],
    });
  }

  /** The role that a user has in the organization; null for no member. */
  async roleOf(email: string): Promise<string | null> {
    const rows = await this.app.db.query<{ role: string }[]>(
      `SELECT m.role FROM org_members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2`,
      [this.orgId, email],
    );
    return rows[0]?.role ?? null;
  }
}

/** What a directory says of a person whose user name is their address. */
export function personCalled(userName: string, more: object = {}): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    emails: [{ type: 'work', value: userName, primary: true }],
    active: true,
    ...more,
  };
}
