import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { PinnedPackage } from '../../src/appliance/web-interface/installed/installed-interface';

const PROJECT = join(__dirname, '..', '..');

/** What npm says when it cannot reach the registry. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

/**
 * Fetches a package through npm, with the registry, proxy and credentials that npm is configured with.
 * @param folder where the file is put
 * @returns its path
 * @throws Error with a sentence to print: npm is missing, the registry is not reached, or has no such package
 */
export async function fetchPackage(
  { name, version }: PinnedPackage,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const spec = `${name}@${version}`;
  const retries = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  const output = await runNpm(['pack', spec, '--json', '--ignore-scripts', ...retries], folder, environment);
  const file = /"filename":\s*"([^"]+)"/.exec(output.stdout)?.[1];
  if (output.code === 0 && file !== undefined) return join(folder, file.replace('@', '').replace('/', '-'));
  const said = `${output.stderr}\n${output.stdout}`;
  const code = UNREACHABLE.exec(said)?.[1];
  if (code !== undefined)
    throw new Error(`The npm registry cannot be reached (${code}), so ${spec} was not fetched.`);
  const reason = /npm error (?:code )?(.*)/.exec(said)?.[1] ?? `exit code ${output.code}`;
  throw new Error(`npm could not fetch ${spec}: ${reason}`);
}

/**
 * Checks a file against the digest it has to have.
 * @throws Error with a sentence to print
 */
export async function checkIntegrity(
  file: string,
  { name, version, integrity }: PinnedPackage,
): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const actual = `sha512-${hash.digest('base64')}`;
  if (actual !== integrity)
    throw new Error(
      `What the registry sent for ${name}@${version} is not that package, and was not installed: its digest is ${actual}, and should be ${integrity}.`,
    );
}

interface NpmOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function runNpm(
  args: readonly string[],
  destination: string,
  environment: NodeJS.ProcessEnv,
): Promise<NpmOutput> {
  // Run by npm, it says where it is.
  const npm = environment.npm_execpath;
  const isScript = npm?.endsWith('.js') === true;
  const all = [...(isScript ? [npm] : []), ...args, '--pack-destination', destination];
  const child = spawn(isScript ? process.execPath : 'npm', all, {
    cwd: PROJECT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`npm cannot be run: ${error.message}`)));
    child.once('close', (code) => resolve(code ?? -1));
  });
  const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
