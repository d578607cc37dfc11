import { randomUUID } from 'node:crypto';
import type { TestApp } from '../service/app';
import { digestOf } from '../../../src/kernel/common';
import { inviteOne } from '../invitations/invitations';
import { storeConversation, storeSandbox } from '../queue/conversation-rows';
import { makeKey, makeMember, makeUser, type TestCaller } from '../service/factories';
import { call } from '../service/http';
import { agentEvent, storeEvents } from '../streams/stored-events';
import { startSession } from '../web-interface/browser-cookie';

/** Somebody who has something of everything in an organization. */
export class SomeonePersonal {
  private constructor(
    readonly app: TestApp,
    readonly caller: TestCaller,
    /** A word that is in all that they wrote. */
    readonly word: string,
    readonly conversationIds: readonly string[],
  ) {}

  /** @param admin invites them, and adds a webhook */
  static async make(app: TestApp, admin: TestCaller, conversations = 2): Promise<SomeonePersonal> {
    const word = `word${randomUUID().replaceAll('-', '')}`;
    const { orgId } = admin;
    const user = await makeUser(app.db, { email: `${word}@person.example.com`, name: `Name ${word}` });
    await inviteOne(app, admin, user.email);
    await makeMember(app.db, orgId, 'member', user);
    const { id: keyId, key } = await makeKey(app.db, user.id, { orgId, name: `Key ${word}` });
    const { id: unboundId, key: unbound } = await makeKey(app.db, user.id, { name: `Unbound ${word}` });
    const caller: TestCaller = {
      userId: user.id,
      email: user.email,
      orgId,
      role: 'member',
      keyId: unboundId,
      key: unbound,
    };
    await startSession(app, key);
    const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
      const response = await call<Record<string, unknown>>(app, 'POST', path, {
        key: unbound,
        body,
        headers: { 'Idempotency-Key': `${keyId}-${path}` },
      });
      if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response.body)}`);
      return response.body;
    };
    await post('/api/v1/secrets', { name: 'A_SECRET', value: `value-${word}`, description: word });
    await post('/api/v1/git/credentials', {
      url_prefix: 'https://git.example.org',
      username: word,
      password: `password-${word}`,
    });
    await post('/api/v1/settings', {
      git_user_name: word,
      llm_api_key: `sk-${word}`,
      llm_model: 'openai/gpt-5',
    });
    await post(`/api/v1/settings/profiles/profile-${word.slice(0, 8)}`, {
      llm: { model: `openai/${word}`, base_url: `https://${word}.example.com` },
    });
    const ids: string[] = [];
    const by = { org_id: orgId, created_by_user_id: user.id };
    for (let n = 0; n < conversations; n += 1) {
      const sandbox_id = await storeSandbox(app.db, by, { status: 'PAUSED' });
      const { id } = await storeConversation(app.db, { ...by, sandbox_id, title: `Title ${word}` });
      await storeEvents(app, id, [agentEvent({ text: `said ${word}` }), agentEvent({ text: word })]);
      await post(`/api/v1/conversations/${id}/pending-messages`, { content: [{ type: 'text', text: word }] });
      ids.push(id);
    }
    return new SomeonePersonal(app, caller, word, ids);
  }

  /** Their word, and the digests of their keys: what is not to be found anywhere once they are erased. */
  get texts(): string[] {
    return [this.word, this.caller.email, digestOf(this.caller.key)];
  }
}

/** What jobs write for everybody: counters, who is at work. */
const BY_JOBS = [
  'request_counts',
  'worker_heartbeats',
  'usage_deltas',
  'usage_by_day',
  'usage_by_month',
  'usage_of_users',
  'conversation_count_deltas',
  'conversation_completed_deltas',
  'conversation_sandbox_changes',
  'conversation_sandbox_statuses',
];

/** What they write into rows of others. */
const COLUMNS_OF_JOBS = [
  'last_used_at',
  'position',
  'fence',
  'claimed_until',
  'next_attempt_at',
  'failures',
  'woken',
];

/** Rows that have any of some ids in them, as texts, by their tables: what belongs to somebody. */
export async function rowsWith(app: TestApp, ids: readonly string[]): Promise<Record<string, string[]>> {
  const tables = await app.db.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY ($1)`,
    [BY_JOBS],
  );
  const found = tables.map(async ({ name }) => {
    const rows = await app.db.query<{ text: string }[]>(
      `SELECT text FROM (SELECT (to_jsonb(t) - $2::text[])::text AS text FROM "${name}" t) r
        WHERE EXISTS (SELECT FROM unnest($1::text[]) id WHERE strpos(text, id) > 0) ORDER BY 1`,
      [ids, COLUMNS_OF_JOBS],
    );
    return [name, rows.map(({ text }) => text)] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}
