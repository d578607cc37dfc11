import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a program as root without the right to change the network, as in a container that was not given it. */
const WITHOUT_NETWORK_RIGHTS = ['--bounding-set=-net_admin', '--inh-caps=-net_admin'];
const canWithhold =
  process.getuid?.() === 0 && spawnSync('setpriv', [...WITHOUT_NETWORK_RIGHTS, 'true']).status === 0;

const FIREWALL = `
const { readSettings } = require('${join(__dirname, '..', '..', '..', 'config')}');
const { HostFirewall } = require('${join(__dirname, 'host-firewall')}');
const firewall = new HostFirewall(readSettings({}), async () => []);
void (async () => {
  await firewall.admit({ uid: 1879048192, host: '127.0.0.1', port: 20000 });
  console.log('opened: ' + (await firewall.open()));
})();
`;

describe('a host whose network the service may not change', () => {
  (canWithhold ? it : it.skip)('runs sandboxes all the same, and its log says what they reach', () => {
    const args = [...WITHOUT_NETWORK_RIGHTS, process.execPath, '-r', '@swc-node/register', '-e', FIREWALL];
    const env = { PATH: process.env.PATH, NO_COLOR: '1' };
    const output = execFileSync('setpriv', args, { encoding: 'utf8', env });
    expect(output).toMatch(/WARN .*Sandboxes reach the ports of this host, the database's and each other's/);
    expect(output).toContain('opened: false');
    expect(output.split('Sandboxes reach')).toHaveLength(2);
  });
});
