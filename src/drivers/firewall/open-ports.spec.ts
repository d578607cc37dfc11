import { readSettings } from '../../kernel/config';
import { openTcpPorts, portAt } from './open-ports';

describe('what agents may reach because settings name it', () => {
  it('is what the settings say, also in a private network', async () => {
    const settings = readSettings({
      CALLBACK_URL: 'http://172.17.0.1:3000',
      LLM_BASE_URL: 'https://10.1.2.3/v1',
      LLM_ALLOWED_HOSTS: '10.1.2.4:8080',
    });
    expect(await openTcpPorts(settings)).toEqual(
      expect.arrayContaining([
        { address: '172.17.0.1', family: 4, port: 3000 },
        { address: '10.1.2.3', family: 4, port: 443 },
        { address: '10.1.2.4', family: 4, port: 8080 },
      ]),
    );
  });

  it('is no model, where agents reach models through the gateway', async () => {
    const settings = readSettings({
      MODEL_GATEWAY: 'on',
      CALLBACK_URL: 'http://172.17.0.1:3000',
      LLM_BASE_URL: 'https://10.1.2.3/v1',
      LLM_ALLOWED_HOSTS: '10.1.2.4:8080',
      GIT_ALLOWED_HOSTS: '10.1.2.5:8080',
    });
    const addresses = (await openTcpPorts(settings)).map(({ address }) => address);
    expect(addresses).toEqual(expect.arrayContaining(['172.17.0.1', '10.1.2.5']));
    expect(addresses).not.toContain('10.1.2.3');
    expect(addresses).not.toContain('10.1.2.4');
  });

  // Systems take numbers for names that stand for an address.
  it.each([
    ['0xa9fea9fe', '169.254.169.254'],
    ['0xa83f8110', '168.63.129.16'],
  ])("is not a cloud's metadata because a name like %s stands for it", async (name, address) => {
    expect(await portAt(name, 80)).toEqual([]);
    expect(await portAt(address, 80)).toEqual([{ address, family: 4, port: 80 }]);
    expect(await portAt('0x0a010203', 80)).toEqual([{ address: '10.1.2.3', family: 4, port: 80 }]);
  });
});
