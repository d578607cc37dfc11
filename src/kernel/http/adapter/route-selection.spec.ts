import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import fc from 'fast-check';
import { RouteSelection } from './route-selection';

const SEGMENTS = [
  'api',
  'keys',
  'current',
  'Conversations',
  'orgs',
  ':id',
  ':key_id',
  '*rest',
  '{:page}',
  'report.:format',
  'v:n',
  'items\\:batch',
];

/** Routes and middleware in an order, as `GET /api/:id`, or `USE /api` for middleware. */
const layer = fc.record({
  method: fc.constantFrom('GET', 'POST', 'ALL', 'USE'),
  path: fc
    .array(fc.constantFrom(...SEGMENTS), { maxLength: 4 })
    .map((segments) => `/${segments.map((segment, i) => unique(segment, i)).join('/')}`),
});

const asked = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'),
  url: fc
    .tuple(
      fc.constantFrom('/', '/', '/', '//', 'http://a/', '\\/', '*'),
      fc.array(
        fc.constantFrom(
          'api',
          'keys',
          'CURRENT',
          'conversations',
          'orgs',
          'x',
          '%61pi',
          '',
          ':id',
          '*',
          'a@b',
          '\\',
          'a\\api',
          'report.csv',
          'v2',
          'items:batch',
        ),
        {
          maxLength: 5,
        },
      ),
      fc.constantFrom('', '/', '?a=/b/c', '/?x', '#y', '?a=//b\\c#', ' '),
    )
    .map(([start, segments, end]) => `${start}${segments.join('/')}${end}`),
});

/** Parameters of one path have names of their own. */
function unique(segment: string, i: number): string {
  return segment.replace(/(?<!\\)([:*])(\w+)/, `$1$2${i}`);
}

/** What the layers say that a request went through, in the order in which it did. */
async function wayThrough(
  handle: Express | ReturnType<RouteSelection['of']>,
  request: object,
): Promise<unknown> {
  const way: unknown[] = [];
  await new Promise<void>((resolve) => {
    handle(Object.assign(request, { way }) as unknown as Request, {} as Response, () => resolve());
  });
  return way;
}

describe('the selection of routes', () => {
  it('leads every request through the same middleware and routes, in the same order, with the same parameters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(layer, { maxLength: 12 }),
        fc.array(asked, { maxLength: 8 }),
        async (layers, all) => {
          const app = express();
          layers.forEach(({ method, path }, i) => {
            const note = (request: Request & { way?: unknown[] }, _: Response, next: NextFunction): void => {
              request.way?.push([i, { ...request.params }, request.url]);
              next();
            };
            if (method === 'USE') app.use(path, note);
            else if (method === 'ALL') app.all(path, note);
            else if (method === 'GET') app.get(path, note);
            else app.post(path, note);
          });
          const selection = new RouteSelection(app.router);
          for (const { method, url } of all) {
            const whole = await wayThrough(app.router, { method, url });
            expect(await wayThrough(selection.of(url), { method, url })).toEqual(whole);
          }
        },
      ),
    );
  });

  it('leaves out what a path is not for, and remembers no more shapes than words make', () => {
    const app = express();
    const handler = (): void => undefined;
    for (const path of ['/a/:id', '/a/b', '/c/:id/d', '/e/:id/f/{*path}']) app.get(path, handler);
    const selection = new RouteSelection(app.router);
    expect(selection.of('/a/1').stack).toHaveLength(1);
    expect(selection.of('/a/b?c').stack).toHaveLength(2);
    expect(selection.of('/c/1').stack).toHaveLength(0);
    expect(selection.of('/e/1/f/g/h').stack).toHaveLength(1);
    expect(selection.of('/a/1')).toBe(selection.of('/a/2/'));
  });
});
