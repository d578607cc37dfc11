import { requestFor } from './provider-request';

it('a call has headers of its place and of its caller, but none that steer the connection', () => {
  const steering = {
    Host: 'inside.example',
    Connection: 'upgrade',
    'content-length': '3',
    TE: 'trailers',
    'Transfer-Encoding': 'chunked',
    upgrade: 'h2c',
    Expect: '100-continue',
    'Keep-Alive': '1',
    'Proxy-Authorization': 'Basic YTpi',
    trailer: 'x',
  };
  const target = {
    baseUrl: 'https://a.example/v1',
    provider: 'openai',
    apiKey: 'sk-1',
    isShared: false,
    isOwn: true,
    headers: { ...steering, 'X-Team': 'one', Host2: 'two' },
  };
  const headers = { 'openai-beta': 'assistants=v2', 'x-mine': 'x', 'idempotency-key': 'once' };
  const made = requestFor('chat', { model: 'openai/gpt-5', headers }, target);
  const names = made?.headers.filter((_, n) => n % 2 === 0);
  expect(names).toEqual([
    'content-type',
    'accept-encoding',
    'user-agent',
    'idempotency-key',
    'authorization',
    'x-team',
    'host2',
  ]);
});
