import { callbackUrl, publicUrl, sandboxUrl } from './addresses';
import { readSettings } from './settings';

describe('the addresses of a service', () => {
  it.each([
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: '0.0.0.0', PORT: '80' }, 'http://127.0.0.1:80'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
    [{ HOST: '10.0.0.5' }, 'http://10.0.0.5:3000'],
    [{ HOST: '::', PUBLIC_URL: 'https://agents.example.com/' }, 'https://agents.example.com'],
  ])('are those it listens on, unless people reach it elsewhere: with %p %s', (env, url) => {
    const settings = readSettings(env);
    expect(publicUrl(settings)).toBe(url);
    expect(callbackUrl(settings)).toBe(url);
  });

  it.each([
    [{}, `http://${process.platform === 'linux' ? '127.77.0.1' : '127.0.0.1'}:20001`],
    [{ SANDBOX_HOST: '0.0.0.0' }, 'http://127.0.0.1:20001'],
    [{ SANDBOX_HOST: '::' }, 'http://[::1]:20001'],
    [{ SANDBOX_PUBLIC_URL: 'https://example.com/{port}/' }, 'https://example.com/20001'],
  ])('of its sandboxes are those they listen on, too: with %p %s', (env, url) => {
    expect(sandboxUrl(readSettings(env), 20_001)).toBe(url);
  });
});
