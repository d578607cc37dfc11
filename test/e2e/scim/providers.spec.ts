import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Directory } from '../../support/scim/directory';
import { startTestApp, type TestApp } from '../../support/service/app';

/** A request as a provider is documented to send it, and what its answer has to have. */
interface Step {
  readonly does: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: object;
  /** What must not be there. */
  readonly lacks?: readonly string[];
  /** Under what the id of the answer is known to later steps. */
  readonly keeps?: string;
}

/** Written from the public documents of the two. */
const PROVIDERS = ['entra-id', 'okta'];

const stepsOf = (provider: string): Step[] =>
  JSON.parse(readFileSync(join(__dirname, `../../fixtures/scim/${provider}.json`), 'utf8')) as Step[];

let app: TestApp;
beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
afterAll(() => app.close());

describe.each(PROVIDERS)('what %s sends', (provider) => {
  const ids = new Map<string, string>();
  let directory: Directory;
  beforeAll(async () => (directory = await Directory.make(app)));

  /** With the ids that are known by now. */
  const filled = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/(?:\{|%7B)(user|other|group)(?:\}|%7D)/g, (_, name: string) => {
        const id = ids.get(name);
        if (id === undefined) throw new Error(`Nothing is known as ${name} yet.`);
        return id;
      }),
    ) as T;

  it.each(stepsOf(provider).map((step) => [step.does, step] as const))('%s', async (_, step) => {
    const { path, body, answer } = filled(step);
    const response = await directory.send(step.method, path, body, {
      'Content-Type': 'application/scim+json; charset=utf-8',
    });
    expect({ status: response.status, body: response.body }).toMatchObject({ status: step.status });
    if (answer !== undefined) expect(response.body).toMatchObject(answer);
    for (const name of step.lacks ?? []) expect(response.body).not.toHaveProperty(name);
    if (step.keeps !== undefined) ids.set(step.keeps, response.body.id);
  });
});
