import { describeWithEngine } from '../support/containers/container-engine';
import { DeploymentFolder } from '../support/containers/deployment-folder';
import { eventually } from '../support/eventually';
import { call } from '../support/service/http';

const PATIENCE_MS = 120_000;

describeWithEngine('docs/deployment.md, pasted', () => {
  let folder: DeploymentFolder;
  beforeAll(async () => {
    folder = await DeploymentFolder.make();
  });
  afterAll(() => folder.remove());

  const statusOf = async (key: string): Promise<number> =>
    (await call(folder, 'GET', '/api/keys/current', { key })).status;
  const ready = (): Promise<void> =>
    eventually(async () => expect((await call(folder, 'GET', '/ready')).status).toBe(200), PATIENCE_MS);

  /** Whether nobody but their owner may read files that were made in the folder. */
  const expectPrivate = async (...names: string[]): Promise<void> => {
    const modes = await folder.run(`stat --format '%n %a' ${names.join(' ')}`);
    expect(modes.split('\n')).toEqual(names.map((name) => `${name} 600`));
  };

  it('has the bill of materials out of the image', async () => {
    await folder.paste('The image', 1);
    expect(await folder.run('head -c 1 sbom.json')).toBe('{');
  });

  it('starts one container, and brings its volume back into an empty one', async () => {
    try {
      await folder.paste('One container', 0);
      const [key = '', issued = ''] = (await folder.paste('One container', 1)).split('\n');
      const another = (JSON.parse(issued) as { key: string }).key;
      for (const one of [key, another]) expect(await statusOf(one)).toBe(200);

      await folder.paste('Backup', 2);
      await expectPrivate('conversations.tar.gz');
      await ready();
      await folder.run('docker rm --force --volumes conversations; docker volume rm conversations');
      await folder.paste('Backup', 3);
      await folder.paste('One container', 0);
      await ready();
      expect(await statusOf(key)).toBe(200);
    } finally {
      await folder.run('docker rm --force conversations || true; docker volume rm conversations || true');
    }
  });

  it('starts with Compose on empty volumes, and brings a database back into another one', async () => {
    try {
      const key = await folder.paste('Compose', 0);
      expect(await statusOf(key)).toBe(200);
      await folder.paste('Backup', 0);
      await expectPrivate('.env', 'service.dump');
      await folder.run('docker compose down --volumes');
      await folder.paste('Backup', 1);
      await ready();
      expect(await statusOf(key)).toBe(200);
    } finally {
      await folder.run('docker compose down --volumes');
    }
  });
});
