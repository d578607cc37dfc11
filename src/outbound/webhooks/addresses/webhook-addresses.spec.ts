import { ScriptedLookup } from '../../../../test/support/scripted-lookup';
import { AllowedHosts, CheckedHosts } from '../../../kernel/common';
import { WebhookAddresses, urlProblem } from './webhook-addresses';

describe('the address of a webhook', () => {
  const lookup = new ScriptedLookup();
  const allowed = ['127.0.0.1:8080', 'receiver.internal', '[::1]:9000', '10.1.2.3:8443'];
  const addresses = new WebhookAddresses(
    new CheckedHosts(new AllowedHosts('WEBHOOK_ALLOWED_HOSTS', allowed), lookup),
  );
  const problemOf = (text: string) => addresses.problemOf(new URL(text));

  beforeEach(() => {
    lookup.answers = [];
    lookup.asked.length = 0;
  });

  it.each([
    ['ftp://hooks.example/x', 'must be of https'],
    ['file:///etc/passwd', 'must be of https'],
    ['javascript:alert(1)', 'must be of https'],
    ['unix:/var/run/docker.sock', 'must be of https'],
    ['//hooks.example/x', 'must be of https'],
    ['hooks.example/x', 'must be of https'],
    ['', 'must be of https'],
    ['https://', 'must be of https'],
    ['https://1.2.3.4.5/', 'must be of https'],
    ['https://user@hooks.example/', 'must not hold a user or password'],
    ['https://user:password@hooks.example/', 'must not hold a user or password'],
    ['https://:password@hooks.example/', 'must not hold a user or password'],
    ['https://hooks.example/#there', 'must not have a fragment'],
    ['https://hooks.example/#', 'must not have a fragment'],
    [`https://hooks.example/${'ä'.repeat(400)}`, 'at most 2048 characters'],
  ])('%s is refused: it %s', (text, reason) => {
    expect(urlProblem(text)).toContain(reason);
  });

  it.each(['https://hooks.example/a?b=c', 'http://127.0.0.1:8080/', 'HTTPS://Hooks.Example:8443'])(
    '%s is well-formed',
    (text) => {
      expect(urlProblem(text)).toBeNull();
    },
  );

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1:8081/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/machine',
    'https://[::ffff:168.63.129.16]/',
    'https://[64:ff9b::a83f:8110]/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://database/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://１２７.0.0.1/',
  ])('%s is refused without asking a name server: it is not public', async (text) => {
    expect(await problemOf(text)).toMatch(/is not at a public address$/);
    expect(lookup.asked).toEqual([]);
  });

  it('is refused when one of the addresses of its host is private', async () => {
    lookup.answers = [['140.82.112.3', '10.0.0.1']];
    expect(await problemOf('https://mixed.example/')).toBe(
      'the host mixed.example is not at a public address',
    );
    lookup.answers = [['140.82.112.3', '::ffff:10.0.0.1']];
    expect(await problemOf('https://mixed.example/')).toContain('public');
  });

  it('is refused where one of the addresses of its host is what a cloud tells its machines', async () => {
    lookup.answers = [['168.63.129.16']];
    expect(await problemOf('https://azure.example/')).toBe(
      'the host azure.example is not at a public address',
    );
  });

  it.each(['https://public.example:0/', 'https://140.82.112.3:0/', 'https://public.example:00/x'])(
    '%s is refused without asking a name server: there is no port 0',
    async (text) => {
      expect(await problemOf(text)).toMatch(/^the host .+ has no port 0$/);
      expect(lookup.asked).toEqual([]);
    },
  );

  it('is accepted at a public host, and while its host has no address yet', async () => {
    lookup.answers = [['140.82.112.3', '2606:4700::1111']];
    expect(await problemOf('https://public.example:8443/x')).toBeNull();
    lookup.answers = [[]];
    expect(await problemOf('https://later.example/x')).toBeNull();
    expect(await problemOf('https://140.82.112.3/')).toBeNull();
    expect(await problemOf('https://[2606:4700::1111]/')).toBeNull();
  });

  it('is of https, unless the operator allows its host', async () => {
    lookup.answers = [['140.82.112.3']];
    expect(await problemOf('http://public.example/')).toBe('the host public.example is called by https only');
  });

  it.each([
    'http://127.0.0.1:8080/',
    'http://127.1:8080/',
    'https://127.0.0.1:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[::1]:9000/',
    'http://[0:0:0:0:0:0:0:1]:9000/',
    'https://10.1.2.3:8443/',
    'http://receiver.internal/',
    'https://Receiver.Internal./',
  ])('%s is accepted, as the operator allows that host and port', async (text) => {
    expect(await problemOf(text)).toBeNull();
  });

  it.each(['http://127.0.0.1/', 'http://receiver.internal:8080/', 'https://10.1.2.3/'])(
    '%s is refused: the operator allows another port of that host',
    async (text) => {
      expect(await problemOf(text)).not.toBeNull();
    },
  );
});
