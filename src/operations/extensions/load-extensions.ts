import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { satisfies, validRange } from 'semver';
import { isRecord, messageOf, StartError, VERSION } from '../../kernel/common';
import type { Extension, ExtensionModule } from './extension';

/** Libraries that the service and its extensions have to share: each finds the other's classes by identity. */
const SHARED = ['@nestjs/common', '@nestjs/core', 'typeorm'];

const SERVICE = 'org-conversation-service';
const INDEX = join(__dirname, '..', '..', 'index');

/**
 * Loads the default exports of files.
 * @param paths as `EXTENSIONS` has them, from the current folder
 * @throws StartError when one cannot be loaded, exports nothing that is an extension, or brings libraries twice
 */
export function loadExtensions(paths: readonly string[]): (Extension | ExtensionModule)[] {
  return paths.flatMap(load);
}

function load(path: string): (Extension | ExtensionModule)[] {
  const file = resolve(path);
  const require = createRequire(file);
  checkShared(path, require);
  const { version, range } = packageOf(dirname(file));
  if (range !== undefined && !satisfies(VERSION, range, { includePrerelease: true }))
    throw new StartError(
      `EXTENSIONS: ${path} is for ${SERVICE} ${range}, as its package.json says, and this is ${VERSION}: install a version of it that is for this one.`,
    );
  const exported = defaultOf(path, () => require(file) as unknown);
  const all: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (all.length > 0 && all.every(isUsable)) return all.map((each) => withVersion(each, version));
  throw new StartError(
    `EXTENSIONS: ${path} has no extension as its default export: export default defineExtension({ … }), or a Nest module.`,
  );
}

/** What a package says of its extensions. */
interface ExtensionPackage {
  readonly version?: string;
  /** The versions of the service that it is for, among its `peerDependencies`. */
  readonly range?: string;
}

/** Of the package that a folder belongs to; nothing where it belongs to none. */
function packageOf(folder: string): ExtensionPackage {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return dirname(folder) === folder ? {} : packageOf(dirname(folder));
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // Node says itself what is wrong with it, where it matters.
  }
  if (!isRecord(content)) return {};
  const { version, peerDependencies: peers } = content;
  const range = isRecord(peers) ? peers[SERVICE] : undefined;
  return {
    ...(typeof version === 'string' && { version }),
    ...(typeof range === 'string' && validRange(range) !== null && { range }),
  };
}

function withVersion(
  given: Extension | ExtensionModule,
  version: string | undefined,
): Extension | ExtensionModule {
  return version === undefined || typeof given === 'function' || !('name' in given)
    ? given
    : { version, ...given };
}

function defaultOf(path: string, read: () => unknown): unknown {
  try {
    const exported = read();
    return isRecord(exported) ? exported.default : exported;
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    throw new StartError(`EXTENSIONS: ${path} cannot be loaded: ${reason}`, { cause: error });
  }
}

function isUsable(value: unknown): value is Extension | ExtensionModule {
  if (typeof value === 'function') return Reflect.getMetadataKeys(value).length > 0;
  return isRecord(value) && (typeof value.name === 'string' || typeof value.module === 'function');
}

/** @throws StartError when the file finds a library that is not the one of the service */
function checkShared(path: string, require: NodeJS.Require): void {
  const own = createRequire(INDEX);
  for (const name of [SERVICE, ...SHARED]) {
    const found = resolved(require, name);
    const used = name === SERVICE ? resolved(own, INDEX) : resolved(own, name);
    if (found !== null && used !== null && found !== used)
      throw new StartError(
        `EXTENSIONS: ${path} finds another copy of ${name} (${found}) than the service that loads it (${used}): start the one that is installed beside the extension.`,
      );
  }
}

function resolved(require: NodeJS.Require, name: string): string | null {
  try {
    return realpathSync(require.resolve(name));
  } catch {
    return null;
  }
}
