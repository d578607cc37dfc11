import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { DeclaredResponses } from '../support/service/declared-responses';

const ORGANIZATION = { name: 'Acme', role: 'owner', created_at: '2026-11-28T00:00:00.000Z' };

describe('the check of responses in tests from end to end', () => {
  const declared = new DeclaredResponses(join(__dirname, '..', '..', 'openapi.json'));

  function problemOf(url: string, status: number, body: unknown, type = 'application/json'): string | null {
    const target = declared.find('GET', url);
    if (target === undefined) throw new Error(`The document has no GET ${url}.`);
    const request = new IncomingMessage(new Socket());
    request.method = 'GET';
    const response = new ServerResponse(request);
    response.statusCode = status;
    response.setHeader('content-type', `${type}; charset=utf-8`);
    return declared.problem(target, response, Buffer.from(JSON.stringify(body)));
  }

  it('finds nothing in what the document declares', () => {
    expect(problemOf('/alive', 200, { status: 'ok' })).toBeNull();
    expect(declared.find('GET', '/not-in-the-document')).toBeUndefined();
  });

  it.each<[string, Parameters<typeof problemOf>, string]>([
    ['a status', ['/alive', 418, { status: 'ok' }], 'which is not declared'],
    ['a type', ['/alive', 200, { status: 'ok' }, 'text/html'], 'with a body of type "text/html"'],
    ['a value', ['/alive', 200, { status: 1 }], 'with another body than declared'],
    [
      'a missing field',
      ['/api/organizations/7c9e6679-7425-40de-944b-e07fc1f90ae7', 200, ORGANIZATION],
      "body must have required property 'id'",
    ],
  ])('finds %s that is not', (_, response, problem) => {
    expect(problemOf(...response)).toContain(problem);
  });
});
