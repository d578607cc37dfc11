import { mkdir } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { type BashEvent, bashRequestSchema, type BashService } from './bash-service';
import { limitIn } from './conversation-routes';
import { multipartField } from './multipart';
import { readRegular, writeRegular } from './regular-files';
import { type ApiRequest, HttpFault, notFound, ok, readJson, type RouteEntry } from './http-api';
import type { SandboxFolder } from '../config/sandbox-folder';

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
    throw new HttpFault(403, NO_COMMANDS);
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
    throw new HttpFault(422, [{ type: 'missing', loc: ['body', 'file'], msg: 'Field required' }]);
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
    throw new HttpFault(422, [{ type: 'missing', loc: ['query', 'path'], msg: 'Field required' }]);
  }
  if (!isAbsolute(path)) throw new HttpFault(400, 'Path must be absolute');
  return path;
}
