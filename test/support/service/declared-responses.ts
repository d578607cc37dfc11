import { readFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isRecord } from '../../../src/kernel/common';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** One operation of the document, to find it by the path of a request. */
interface Target {
  readonly title: string;
  readonly path: RegExp;
  /** Where it stands in the document. */
  readonly pointer: string;
  readonly operation: Operation;
}

/** The body of a larger one is not read again. */
const MAX_BYTES = 1_048_576;

/** Checks responses against `openapi.json`, which a test of the contract compares with the service. */
export class DeclaredResponses {
  private readonly document: OpenAPIObject;
  private readonly targets = new Map<string, Target[]>();
  private readonly validators = new Map<string, ValidateFunction | undefined>();
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false });

  constructor(file: string) {
    this.document = JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
    addFormats(this.ajv);
    // As their agent server made them: tests are agent servers, too, and make others than real ones.
    Object.assign(this.document.components?.schemas ?? {}, { ConversationEvent: { type: 'object' } });
    this.ajv.addSchema(this.document, 'document');
    // A literal segment counts before a parameter.
    const paths = Object.entries(this.document.paths).sort(([one], [other]) =>
      one.replaceAll('{', '~') < other.replaceAll('{', '~') ? -1 : 1,
    );
    for (const [path, item] of paths)
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const operation = item[method];
        if (operation === undefined) continue;
        const pattern = path.replace('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
        this.targets.set(method, [
          ...(this.targets.get(method) ?? []),
          {
            title: `${method.toUpperCase()} ${path}`,
            path: new RegExp(`^${pattern}/?$`, 'i'),
            pointer: `#/paths/${escaped(path)}/${method}`,
            operation,
          },
        ]);
      }
  }

  /** The operation that a request is for, or undefined: what is in no document is not checked. */
  find(method: string, url: string): Target | undefined {
    const [path = ''] = url.split('?');
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    return this.targets.get(name)?.find((target) => target.path.test(path));
  }

  /** What a response has that its operation does not declare; null if all of it is. */
  problem({ operation, pointer }: Target, response: ServerResponse, body: Buffer | null): string | null {
    const status = `${response.statusCode}` in operation.responses ? `${response.statusCode}` : 'default';
    const declared = operation.responses[status];
    if (declared === undefined) return 'which is not declared';
    const at = '$ref' in declared ? declared.$ref : `${pointer}/responses/${status}`;
    const isHead = response.req.method === 'HEAD';
    return isHead ? null : this.bodyProblem(`${at}/content`, response, body);
  }

  private bodyProblem(pointer: string, response: ServerResponse, body: Buffer | null): string | null {
    const declared = this.valueAt(pointer);
    const content = isRecord(declared) ? declared : {};
    const [type = ''] = String(response.getHeader('content-type') ?? '').split(';');
    // A text may be empty: lines of nothing.
    const isText = type in content && type !== 'application/json';
    if (body?.length === 0)
      return isText || Object.keys(content).length === 0 || '*/*' in content ? null : 'without a body';
    const media = [type, '*/*'].find((one) => one in content);
    if (media === undefined) return `with a body of type "${type}", which is not declared`;
    if (body === null || type !== 'application/json') return null;
    const validate = this.validator(`${pointer}/${escaped(media)}/schema`);
    if (validate === undefined || validate(JSON.parse(body.toString('utf8')))) return null;
    return `with another body than declared: ${this.ajv.errorsText(validate.errors, { dataVar: 'body' })}`;
  }

  private validator(pointer: string): ValidateFunction | undefined {
    if (!this.validators.has(pointer)) this.validators.set(pointer, this.ajv.getSchema(`document${pointer}`));
    return this.validators.get(pointer);
  }

  private valueAt(pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((inside, name) => (isRecord(inside) ? inside[name] : undefined), this.document);
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

const ROOT = join(__dirname, '..', '..', '..');

/** Benches and other tests start services, too. */
const isEndToEnd =
  typeof expect === 'function' && expect.getState().testPath?.startsWith(join(ROOT, 'test', 'e2e')) === true;

const undeclared = new Set<string>();
let responses: DeclaredResponses | undefined;

/**
 * Has a file of `test/e2e` fail, at its end, for each response of a service in its process that the document does not declare:
 * its status, the type of its body, or JSON that does not match the schema.
 */
export function checkResponses(server: Server): void {
  if (!isEndToEnd) return;
  responses ??= new DeclaredResponses(join(ROOT, 'openapi.json'));
  const declared = responses;
  server.prependListener('request', ({ method = '', url = '' }, response) => {
    const target = declared.find(method, url);
    if (target === undefined) return;
    const body = written(response);
    response.once('finish', () => {
      const problem = declared.problem(target, response, body());
      if (problem !== null) undeclared.add(`${target.title} answered ${response.statusCode} ${problem}`);
    });
  });
}

/** @returns what was written of the body, or null if it is too large */
function written(response: ServerResponse): () => Buffer | null {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const noting = <F extends ServerResponse['write' | 'end']>(original: F): F =>
    new Proxy(original, {
      apply(target, self, args: unknown[]): unknown {
        const [chunk] = args;
        const isContent = typeof chunk === 'string' || chunk instanceof Uint8Array;
        if (isContent) bytes += chunk.length;
        if (isContent && bytes <= MAX_BYTES) chunks.push(Buffer.from(chunk as string));
        return Reflect.apply(target, self, args);
      },
    });
  response.write = noting(response.write);
  response.end = noting(response.end);
  return () => (bytes > MAX_BYTES ? null : Buffer.concat(chunks));
}

if (isEndToEnd)
  afterAll(() => {
    expect([...undeclared]).toEqual([]);
  });
