import { mkdir, type FileHandle, open } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { type BashEvent, bashRequestSchema, type BashService } from './bash-service';
import { limitIn } from './conversation-routes';
import { type ApiRequest, HttpError, notFound, ok, readJson, type RouteEntry } from './http-api';
import type { SandboxFolder } from '../config/sandbox-folder';
import { constants } from 'node:fs';
import { MEBIBYTE } from '../../../kernel/common';

/** The memory limit of one response. */
const MAX_READ_BYTES = 64 * MEBIBYTE;

const NO_FILE = 'The path is not that of a regular file.';

/** The error codes for a folder, a socket, or a pipe without a reader. */
const OTHER_KINDS = ['EISDIR', 'ENXIO', 'ENODEV'];

/**
 * The bytes of a file. Pipes and devices never end, or never begin: they are refused once they are open, without a wait.
 * @throws HttpError where it is none, or larger than a response can be
 */
async function readRegular(path: string): Promise<Buffer> {
  return using(path, constants.O_RDONLY, async (file) => {
    // Some systems have files that say nothing of their size.
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: MAX_READ_BYTES })) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      length += chunk.length;
    }
    if (length > MAX_READ_BYTES) throw new HttpError(413, 'The file is larger than 64 MiB.');
    return Buffer.concat(chunks);
  });
}

/** Replaces the content of a file, which is made where it is not there. @throws HttpError where it is no regular file */
async function writeRegular(path: string, bytes: Buffer): Promise<void> {
  await using(path, constants.O_WRONLY | constants.O_CREAT, async (file) => {
    await file.truncate();
    await file.writeFile(bytes);
  });
}

async function using<T>(path: string, flags: number, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags | constants.O_NONBLOCK, 0o666).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (OTHER_KINDS.includes(code)) throw new HttpError(400, NO_FILE);
    if (flags === constants.O_RDONLY) throw notFound('File not found');
    throw error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new HttpError(400, NO_FILE);
    return await use(file);
  } finally {
    await file.close();
  }
}

const NO_COMMANDS = 'This agent server runs no commands: it has no user of its own to run them as.';

/**
 * Commands and files of the sandbox, and what the real agent server loads from it and knows of models: here there is none.
 * @param bash null where commands are refused
 */
export function sandboxRoutes(bash: BashService | null, folder: SandboxFolder): RouteEntry[] {
  return [
    ...(bash === null ? refusedCommands() : bashRoutes(bash)),
    ...fileRoutes(folder),
    [
      'POST',
      '/api/skills',
      () =>
        ok({
          skills: [],
          sources: { sandbox: 0, registered_marketplaces: 0, sdk_base: 0, org: 0, project: 0 },
        }),
    ],
    ['POST', '/api/hooks', () => ok({ hook_config: null })],
    ['GET', '/api/tools/', () => ok([])],
    ['GET', '/api/llm/providers', () => ok({ providers: [] })],
    ['GET', '/api/llm/models', () => ok({ models: [] })],
    ['GET', '/api/llm/models/verified', () => ok({ models: {} })],
  ];
}

function refusedCommands(): RouteEntry[] {
  const paths = ['/api/bash/:route', '/api/bash/:route/:detail'];
  const refuse = (): never => {
    throw new HttpError(403, NO_COMMANDS);
  };
  return ['GET', 'POST', 'DELETE'].flatMap((method) => paths.map((path) => [method, path, refuse] as const));
}

function bashRoutes(bash: BashService): RouteEntry[] {
  return [
    [
      'POST',
      '/api/bash/execute_bash_command',
      async (request) => ok(await bash.start(readJson(request, bashRequestSchema)).done),
    ],
    [
      'POST',
      '/api/bash/start_bash_command',
      (request) => ok(bash.start(readJson(request, bashRequestSchema)).command),
    ],
    ['GET', '/api/bash/bash_events/search', ({ query }) => ok(searchBash(bash.all(), query))],
    [
      'GET',
      '/api/bash/bash_events/:eventId',
      ({ params }) => {
        const event = bash.all().find(({ id }) => id === params['eventId']);
        if (!event) throw notFound();
        return ok(event);
      },
    ],
    ['DELETE', '/api/bash/bash_events', () => ok({ cleared_count: bash.clear() })],
  ];
}

function fileRoutes(folder: SandboxFolder): RouteEntry[] {
  return [
    ['POST', '/api/file/upload', (request) => upload(request, folder)],
    ['GET', '/api/file/download', (request) => download(request, folder)],
    [
      'POST',
      '/api/file/create_directory',
      async ({ query }) => {
        await mkdir(folder.resolve(pathIn(query)), { recursive: true });
        return ok({ success: true });
      },
    ],
  ];
}

function searchBash(events: readonly BashEvent[], query: URLSearchParams): unknown {
  const limit = limitIn(query);
  const kind = query.get('kind__eq');
  const commandId = query.get('command_id__eq')?.replaceAll('-', '') ?? null;
  const orderGt = query.get('order__gt');
  const found = events.filter((event) => {
    if (kind !== null && event.kind !== kind) return false;
    const ofCommand = event.kind === 'BashCommand' ? event.id : event.command_id;
    if (commandId !== null && ofCommand !== commandId) return false;
    return orderGt === null || (event.kind === 'BashOutput' && event.order > Number(orderGt));
  });
  if (query.get('sort_order') === 'TIMESTAMP_DESC') found.reverse();
  const start = Math.max(
    found.findIndex(({ id }) => id === query.get('page_id')),
    0,
  );
  const items = found.slice(start, start + limit);
  return { items, next_page_id: found[start + limit]?.id ?? null };
}

async function upload(request: ApiRequest, folder: SandboxFolder) {
  const path = folder.resolve(pathIn(request.query));
  const type = request.headers['content-type'] ?? '';
  const file = multipartField(request.body, type, 'file');
  if (!file) {
    throw new HttpError(422, [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required' }]);
  }
  await mkdir(dirname(path), { recursive: true });
  await writeRegular(path, file);
  return ok({ success: true });
}

async function download({ query }: ApiRequest, folder: SandboxFolder) {
  const path = folder.resolve(pathIn(query));
  return { status: 200, body: null, bytes: await readRegular(path) };
}

function pathIn(query: URLSearchParams): string {
  const path = query.get('path');
  if (path === null) {
    throw new HttpError(422, [{ type: 'missing', loc: ['query', 'path'], msg: 'Field required' }]);
  }
  if (!isAbsolute(path)) throw new HttpError(400, 'Path must be absolute');
  return path;
}

/**
 * One field of a multipart/form-data body that is in memory as a whole.
 * @returns its bytes, or null when the body is something else or has no such field
 */
function multipartField(body: Buffer, contentType: string, name: string): Buffer | null {
  const boundary = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const text = boundary?.[1] ?? boundary?.[2];
  if (text === undefined) return null;
  const delimiter = Buffer.from(`\r\n--${text}`);
  // The first delimiter has no line before it.
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  let start = whole.indexOf(delimiter);
  while (start !== -1) {
    const head = start + delimiter.length;
    const end = whole.indexOf(delimiter, head);
    const blank = whole.indexOf('\r\n\r\n', head);
    if (end === -1 || blank === -1) return null;
    const headers = whole.subarray(head, blank).toString('utf8');
    if (blank < end && headers.includes(`; name="${name}"`)) return whole.subarray(blank + 4, end);
    start = end;
  }
  return null;
}
