/**
 * The Python client that openapi-python-client makes of `openapi.json`, with its default options: generated without a
 * warning, checked by mypy, and one whole story against the built service.
 *
 *   npm run test:python-client
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePythonClient } from '../../scripts/python-client-environment';
import { MeasuredService } from '../schemathesis/service';
import { measuredRow } from './measured-row';

const run = promisify(execFile);

const ROOT = join(__dirname, '..', '..');
const STORY = join(__dirname, 'python', 'story.py');
const PACKAGE = 'organization_conversation_service_client';

async function main(): Promise<void> {
  const { directory, version } = await ensurePythonClient();
  const folder = await mkdtemp(join(tmpdir(), 'python-client-'));
  const made = join(folder, 'client');
  const env = {
    ...process.env,
    // The generator runs ruff, which is installed beside it.
    PATH: [join(directory, 'bin'), process.env.PATH].join(delimiter),
    LD_LIBRARY_PATH: join(directory, 'base', 'lib'),
    PYTHONPATH: made,
    MYPYPATH: made,
  };
  const python = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(join(directory, 'bin', 'python'), args, { cwd: folder, env });
    return stdout + stderr;
  };
  const service = await MeasuredService.start();
  try {
    const document = join(ROOT, 'openapi.json');
    const said = await python(
      '-m',
      'openapi_python_client',
      'generate',
      '--path',
      document,
      '--output-path',
      made,
    );
    assert.equal(said.trim(), `Generating ${made}`);
    // The generator narrows the type of every list for checkers that would not know it.
    const options = ['--strict', '--no-warn-redundant-casts'];
    console.log((await python('-m', 'mypy', ...options, STORY, join(made, PACKAGE))).trim());
    const requests = JSON.parse(await python(STORY, service.url, await service.keyOf('owner'))) as string[];
    const calls = requests.length;
    assert.deepEqual(await measuredRow('openapi-python-client'), { version, calls, asExpected: calls });
    console.log(`openapi-python-client ${version}: ${calls} calls, all answered as expected.`);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
