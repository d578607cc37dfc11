/**
 * The clients that generators make of `openapi.json`: each compiled, and ten calls with it against the built service.
 *
 *   npm run test:generators
 *
 * It needs Go, and a Java development kit with Maven; what else it takes comes from the registries of npm, Go and Maven.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MeasuredService } from '../schemathesis/service';
import { measuredRow } from './measured-row';

const run = promisify(execFile);

const DOCUMENT = join(__dirname, '..', '..', 'openapi.json');
const CALLS = 10;
/** Maven tells everything. */
const MOST_OUTPUT = 64 * 1024 * 1024;

type Command = readonly [program: string, ...args: string[]];

/** A folder beside this file with what is compiled against generated code. */
interface Project {
  readonly folder: string;
  /** The file that pins the versions. */
  readonly manifest: string;
  /** What generates and compiles. */
  readonly commands: readonly Command[];
  /** What prints the operations that it called, by the name of the client in docs/clients.md. */
  readonly stories: Readonly<Record<string, (url: string, key: string) => Command>>;
}

const PROJECTS: readonly Project[] = [
  {
    folder: 'fetch-generators',
    manifest: 'package.json',
    commands: [
      ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
      ['npx', 'openapi-ts', '-i', DOCUMENT, '-o', 'hey-api', '-c', '@hey-api/client-fetch'],
      [
        'npx',
        'orval',
        '--input',
        DOCUMENT,
        '--output',
        'orval/client.ts',
        '--client',
        'fetch',
        '--mode',
        'split',
      ],
      ['npx', 'tsc', '-p', '.'],
    ],
    stories: {
      'hey-api': (url, key) => ['node', 'hey-api.js', url, key],
      orval: (url, key) => ['node', 'orval.js', url, key],
    },
  },
  {
    folder: 'oapi-codegen',
    manifest: 'go.mod',
    commands: [
      ['mkdir', 'client'],
      [
        ...(['go', 'tool', 'oapi-codegen', '-generate', 'types,client,skip-prune'] as const),
        '-package',
        'client',
        '-o',
        'client/client.go',
        DOCUMENT,
      ],
      ['go', 'build', '-o', 'story', '.'],
    ],
    stories: { 'oapi-codegen': (url, key) => ['./story', url, key] },
  },
  {
    folder: 'openapi-generator',
    manifest: 'pom.xml',
    commands: [['mvn', '-q', '-B', `-Ddocument=${DOCUMENT}`, 'compile']],
    stories: {
      'openapi-generator (Java)': (url, key) => ['mvn', '-q', '-B', 'exec:java', `-Dexec.args=${url} ${key}`],
    },
  },
];

async function check(
  { folder, manifest, commands, stories }: Project,
  service: MeasuredService,
): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), `${folder}-`));
  const output = async ([program, ...args]: Command): Promise<string> =>
    (await run(program, args, { cwd, maxBuffer: MOST_OUTPUT })).stdout;
  try {
    await cp(join(__dirname, folder), cwd, { recursive: true });
    for (const command of commands) await output(command);
    for (const [client, story] of Object.entries(stories)) {
      const row = await measuredRow(client);
      assert.ok((await readFile(join(cwd, manifest), 'utf8')).includes(row.version));
      const said = await output(story(service.url, await service.keyOf('owner')));
      // Maven colours the line.
      const called = JSON.parse(/\["\w.*"\]/.exec(said)?.[0] ?? '[]') as string[];
      assert.deepEqual([new Set(called).size, row.calls, row.asExpected], [CALLS, CALLS, CALLS]);
      console.log(`${client} ${row.version}: ${CALLS} calls, all answered as expected.`);
    }
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const service = await MeasuredService.start();
  try {
    for (const project of PROJECTS) await check(project, service);
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
