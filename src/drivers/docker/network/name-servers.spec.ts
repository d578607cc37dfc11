import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameServersOfContainers } from './name-servers';

const at = (address: string) => ({ address, family: 4 as const, port: 53 });

describe('the name servers that containers may reach', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'name-servers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("are those behind systemd's resolver too, which engines give them", async () => {
    const file = join(folder, 'resolv.conf');
    await writeFile(file, '# of systemd\nnameserver 10.0.0.2\nnameserver fd00::2%eth0\nsearch example.org\n');
    expect(await nameServersOfContainers([at('127.0.0.53')], file)).toEqual([
      at('127.0.0.53'),
      at('10.0.0.2'),
      { address: 'fd00::2', family: 6, port: 53 },
    ]);
  });

  it('are those of the host otherwise', async () => {
    expect(await nameServersOfContainers([at('10.0.0.3')], join(folder, 'resolv.conf'))).toEqual([
      at('10.0.0.3'),
    ]);
    expect(await nameServersOfContainers([at('127.0.0.53')], join(folder, 'none'))).toEqual([
      at('127.0.0.53'),
    ]);
  });
});
