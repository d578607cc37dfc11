import { isAddressOf, isRelayed } from './sandbox-relay';

const ID = '0af30000-0000-4000-8000-000000000000';

describe('the calls that are relayed', () => {
  it.each([
    ['GET', '/api/git/commits?path=/a&limit=50'],
    ['GET', '/api/git/commits/0af3bc/changes'],
    ['GET', '/api/git/diff?path=/a%20b&commit=0af3'],
    ['GET', '/api/file/download?path=/a'],
    ['POST', '/api/bash/execute_bash_command'],
    ['POST', `/api/conversations/${ID}/events`],
    ['POST', `/api/conversations/${ID}/events/respond_to_confirmation`],
    ['POST', `/api/conversations/${ID}/condense`],
    ['GET', `/api/conversations/${ID}/events/count`],
  ])('are %s %s', (method, path) => {
    expect(isRelayed(method, path)).toBe(true);
  });

  it.each([
    ['POST', '/api/git/commits'],
    ['GET', '/api/git/commits/0af3/../../file/download'],
    ['GET', '/api/git/commits/0af3%2f..'],
    ['GET', '//api/git/commits'],
    ['GET', 'http://other.example.com/api/git/commits'],
    ['GET', '/api/settings'],
    ['GET', '/api/git/diff?path=a b'],
    ['GET', '/api/git/diff?path=a\r\nHost: other'],
    ['GET', '/api/git/diff#?a'],
    ['DELETE', `/api/conversations/${ID}`],
    ['GET', `/api/conversations/${ID}/events`],
    ['POST', `/api/conversations/../events`],
    ['POST', `/api/conversations/${ID}/secrets`],
    ['GET', ''],
  ])('are not %s %j', (method, path) => {
    expect(isRelayed(method, path)).toBe(false);
  });
});

describe('the address of a sandbox', () => {
  it.each([
    ['http://localhost:20001', 'http://localhost:20001'],
    ['http://machine.local:20001/', 'http://localhost:20001'],
    ['https://agents.example.com/run/7', 'http://agents.example.com/run/7/'],
  ])('may be written %s for %s', (given, known) => {
    expect(isAddressOf(given, known)).toBe(true);
  });

  it.each([
    ['http://localhost:20002', 'http://localhost:20001'],
    ['http://other.example.com:20001', 'http://agents.example.com:20001'],
    ['http://agents.example.com/run/8', 'http://agents.example.com/run/7'],
    ['file:///run/7', 'http://localhost/run/7'],
    ['no address', 'http://localhost:20001'],
  ])('is not %s for %s', (given, known) => {
    expect(isAddressOf(given, known)).toBe(false);
  });
});
