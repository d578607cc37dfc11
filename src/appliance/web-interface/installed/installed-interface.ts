import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What is different in the installed build, wherever a pattern matches in its scripts and styles. */
export interface Replacement {
  /** What it is about, for a message where the build has no match. */
  readonly subject: string;
  readonly pattern: RegExp;
  readonly by: string;
}

/** The sentence of an error of the service; its JSON, with status and all, is no text for people. */
const SENTENCE =
  '(({detail:d}={})=>typeof d==`string`?d:Array.isArray(d)&&d[0]?.msg!==void 0?' +
  'd.map(({loc:l=[],msg:m})=>`${l.slice(1).join(`.`)}: ${m}`).join(`; `):';

/**
 * Of the version that this build of the service was tested with. Without a match the package is refused: then it is another
 * build, in which it has to be looked for anew.
 */
const REPLACEMENTS: readonly Replacement[] = [
  {
    subject: 'fonts of a stranger, which no style uses',
    pattern: /@import "https:\/\/fonts\.googleapis\.com\/[^"]*";/g,
    by: '',
  },
  {
    subject: 'logos of strangers: those without an address get a general one',
    pattern: /(logoUrl:)`https?:[^`]*`/g,
    by: '$1``',
  },
  {
    subject: 'the name of the back end, which is that of a product: the host of the service is shown instead',
    pattern: /(=`locked-cloud`,\w+=)`OpenHands Cloud`/g,
    by: '$1location.host',
  },
  {
    subject: 'the text of an error of the service',
    pattern: /`(HTTP request failed \(\$\{[\w.]+\} \$\{[\w.]+\}\)): \$\{JSON\.stringify\((\w+)\)\}`/g,
    by: `${SENTENCE}\`$1\`)($2??void 0)`,
  },
  {
    subject:
      'what follows when a conversation is stopped: what is shown is read again, and its page stays, for the next message',
    pattern:
      /[\w$]+\(([\w$]+),[\w$]+\.conversationId,\{execution_status:[\w$]+\.PAUSED,sandbox_status:`PAUSED`\}\),[\w$]+===[\w$]+\.conversationId&&[\w$]+\(`\/conversations`\)/g,
    by: '$1.invalidateQueries()',
  },
  {
    subject: 'the consent to telemetry, which saving any setting would give',
    pattern: /\?!0:(\w+\.get\(`enable-analytics-switch`\))/g,
    by: '?!1:$1',
  },
];

/** A package of the npm registry: the download has to match it byte for byte. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the package, in the format of registries. */
  readonly integrity: string;
}

/** The package with the web interface. */
export interface InterfacePackage extends PinnedPackage {
  /** The editor that shows changes in files: the build itself would have browsers fetch it from a stranger. */
  readonly editor: AddressedPackage;
  /** The icons of products that the interface shows, which browsers would ask a stranger for as well. */
  readonly icons: AddressedPackage;
  readonly replacements: readonly Replacement[];
}

/** A package, and the path at which the build of the interface looks for its files. */
export interface AddressedPackage extends PinnedPackage {
  /** The address that stands in the build. */
  readonly address: string;
}

/** The one that this build of the service was tested with. */
export const INTERFACE_PACKAGE: InterfacePackage = {
  name: '@openhands/agent-canvas',
  version: '1.20.0',
  integrity:
    'sha512-uq28bmdMapsDN0ltp5ZHYm9xfuk7cHktNkd0NY38w/UTq25wJTqSKSPya+2+ky0+HpGX2vmn0uF3mHuNCoOb2w==',
  editor: {
    name: 'monaco-editor',
    version: '0.55.1',
    integrity:
      'sha512-jz4x+TJNFHwHtwuV9vA9rMujcZRb0CEilTEwG2rRSpe/A7Jdkuj8xPKttCgOh+v/lkHy7HsZ64oj+q3xoAFl9A==',
    address: 'https://cdn.jsdelivr.net/npm/monaco-editor@0.55.1/min/vs',
  },
  icons: {
    name: 'simple-icons',
    version: '16.37.0',
    integrity:
      'sha512-8mCJIhpMYOL9g13GW59EiL3sVXJnTEKGCTZFaekl9UQ3Qo0SwVjnLaJ82QiaH8BKBdouEDzrHMXIWh8cBIy48A==',
    address: 'https://cdn.simpleicons.org',
  },
  replacements: REPLACEMENTS,
};

/** Where `npm run web:install` stores what it fetched: `.cache/web-interface` of the project. */
export const INTERFACE_CACHE = join(__dirname, '..', '..', '..', '..', '.cache', 'web-interface');

const FOLDER = /^(\d[\w.-]*)-[0-9a-f]{12}$/;

/** A web interface installed on this machine by `npm run web:install`. */
export interface InstalledInterface {
  readonly version: string;
  /** Contains `index.html` and the folder `files`, with compressed files next to the others. */
  readonly folder: string;
}

/** The folder name of a package below {@link INTERFACE_CACHE}. */
export function folderOfPackage(wanted: InterfacePackage): string {
  const text = JSON.stringify(wanted, (_, value: unknown) =>
    value instanceof RegExp ? value.source : value,
  );
  return `${wanted.version}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/**
 * The installed web interface: the one this build of the service was tested with, else the one installed last.
 * @returns null if there is none
 */
export async function findInterface(cache = INTERFACE_CACHE): Promise<InstalledInterface | null> {
  const names = (await readdir(cache).catch(() => [])).filter((name) => FOLDER.test(name));
  const dated = await Promise.all(names.map(async (name) => ({ name, at: await installedAt(cache, name) })));
  const pinned = folderOfPackage(INTERFACE_PACKAGE);
  const [best] = dated.sort((a, b) => Number(b.name === pinned) - Number(a.name === pinned) || b.at - a.at);
  if (best === undefined) return null;
  return { version: FOLDER.exec(best.name)?.[1] ?? best.name, folder: join(cache, best.name) };
}

async function installedAt(cache: string, name: string): Promise<number> {
  return (await stat(join(cache, name))).mtimeMs;
}
