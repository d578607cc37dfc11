import type { TestApp } from '../service/app';
import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import { call, type ErrorBody, type HttpResponse } from '../service/http';

/** A webhook as the API answers it; the secret is there when it was made or rotated. */
export interface WebhookBody extends ErrorBody {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly kinds: readonly string[];
  readonly conversation_ids: readonly string[] | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly disabled_at: string | null;
  readonly failing_since: string | null;
  readonly previous_secret_until: string | null;
  readonly created_by_user_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly secret?: string;
}

/** An organization with an admin, an owner and a member, and its webhooks. */
export class WebhookOrg {
  private constructor(
    private readonly app: TestApp,
    readonly id: string,
    readonly admin: TestCaller,
    readonly owner: TestCaller,
    readonly member: TestCaller,
  ) {}

  static async make(app: TestApp): Promise<WebhookOrg> {
    const { id } = await makeOrg(app.db);
    const [admin, owner, member] = [
      await makeCaller(app.db, id, 'admin'),
      await makeCaller(app.db, id, 'owner'),
      await makeCaller(app.db, id),
    ];
    return new WebhookOrg(app, id, admin, owner, member);
  }

  /** Path of the webhooks, or below them; a query may come last. */
  path(...below: readonly string[]): string {
    return [`/api/organizations/${this.id}/webhooks`, ...below].join('/').replace('/?', '?');
  }

  /** Calls an operation as the admin, unless a key is given. */
  send<Body = WebhookBody>(
    method: string,
    below: readonly string[],
    body?: unknown,
    key: string = this.admin.key,
  ): Promise<HttpResponse<Body>> {
    return call<Body>(this.app, method, this.path(...below), { key, ...(body !== undefined && { body }) });
  }

  /** Makes a webhook. */
  async webhook(fields: object = {}): Promise<WebhookBody & { readonly secret: string }> {
    const { status, body } = await this.send('POST', [], {
      url: 'https://hooks.example/x',
      kinds: ['*'],
      ...fields,
    });
    if (status !== 201 || body.secret === undefined) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return { ...body, secret: body.secret };
  }
}
