import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConversationService } from '../support/service/conversation-service';
import { measuredRow } from './measured-row';

const run = promisify(execFile);

const ROOT = join(__dirname, '..', '..');
const MODULES = join(ROOT, 'node_modules');

async function versionOf(name: string): Promise<string> {
  const manifest = await readFile(join(MODULES, name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

describe('the TypeScript client that openapi-typescript and openapi-fetch make of openapi.json', () => {
  let service: ConversationService;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'typescript-client-'));
    await cp(join(__dirname, 'typescript'), folder, { recursive: true });
    await symlink(MODULES, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    service = await ConversationService.start();
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('compiles strictly without a warning, and runs a whole story as the service answers', async () => {
    const node = (args: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
      run(process.execPath, args, { cwd: folder });
    const generator = join(MODULES, 'openapi-typescript', 'bin', 'cli.js');
    const generated = await node([generator, join(ROOT, 'openapi.json'), '-o', 'openapi.d.ts']);
    expect(generated.stdout + generated.stderr).not.toMatch(/warn|error/i);
    const compiled = await node([join(MODULES, 'typescript', 'bin', 'tsc'), '-p', folder]).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
    expect(compiled.stdout + compiled.stderr).toBe('');

    const { stdout } = await node(['story.js', service.app.url, service.owner.key]);
    const called = JSON.parse(stdout) as string[];
    const versions = `${await versionOf('openapi-typescript')}, ${await versionOf('openapi-fetch')}`;
    expect(await measuredRow('openapi-typescript, openapi-fetch')).toEqual({
      version: versions,
      calls: called.length,
      asExpected: called.length,
    });
  });
});
