import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../src/operations/cli/command-line';
import { RetentionFixture } from '../../support/retention/retention-fixture';

interface Result {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

describe('retention:run', () => {
  let fixture: RetentionFixture;
  beforeAll(async () => (fixture = await RetentionFixture.start()));
  afterAll(() => fixture.close());

  const run = async (...options: readonly string[]): Promise<Result> => {
    const printed = await runCommand(['retention:run', ...options], {
      DATABASE_URL: fixture.app.database.url,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      DATA_DIR: join(tmpdir(), 'data-of-commands'),
    });
    return JSON.parse(printed) as Result;
  };

  it('says what would go, warns first, and removes it a week later, in the name of the operator', async () => {
    await fixture.keep({ conversations_days: 30 });
    const id = await fixture.store({ days: 100, events: 4 });
    const { orgId } = fixture;
    expect(await run('--dry-run')).toMatchObject({
      items: [{ org_id: orgId, would_remove: [{ what: 'conversations', items: 1, bytes: 400 }] }],
    });
    expect(await run('--org', orgId)).toEqual({ items: [] });
    expect(await fixture.listed()).toEqual([id]);
    await fixture.weekLater();
    expect(await run('--org', orgId)).toEqual({
      items: [{ org_id: orgId, removed: { conversations: { items: 1, bytes: 400 } }, is_busy: false }],
    });
    expect(await fixture.listed()).toEqual([]);
    expect((await fixture.recorded()).map(({ actor }) => actor.kind)).toEqual(['operator']);
  });

  it.each([
    [['--org', 'nobody'], '--org must be a UUID.'],
    [['--org', '00000000-0000-4000-8000-000000000000'], 'There is no organization with this id.'],
    [['--days', '3'], "Unknown option '--days'"],
  ])('refuses %j', async (options, sentence) => {
    await expect(run(...options)).rejects.toThrow(sentence);
  });
});
