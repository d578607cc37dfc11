import { isSameOrigin } from './same-origin';

const OURS = 'https://work.example';

describe('where a form comes from', () => {
  it.each([
    ['a browser that says same-origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }, OURS, true],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site', origin: OURS }, OURS, false],
    ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }, OURS, false],
    ['our public origin', { origin: OURS, host: 'inner:3000' }, OURS, true],
    [
      'the origin the request was sent to',
      { origin: 'http://10.0.0.5:3000', host: '10.0.0.5:3000' },
      OURS,
      true,
    ],
    ['another origin', { origin: 'https://evil.example', host: 'work.example' }, OURS, false],
    ['no origin that is one', { origin: 'evil', host: 'work.example' }, OURS, false],
    ['a hidden origin over https', { origin: 'null', host: 'work.example' }, OURS, false],
    [
      'a hidden origin on this machine',
      { origin: 'null', host: 'localhost:3000' },
      'http://localhost:3000',
      false,
    ],
    [
      'a hidden origin over plain http',
      { origin: 'null', host: '10.0.0.5:3000' },
      'http://10.0.0.5:3000',
      true,
    ],
    ['a program', { host: 'work.example' }, OURS, true],
  ] as const)('%s', (_, headers, publicOrigin, expected) => {
    expect(isSameOrigin(headers, publicOrigin)).toBe(expected);
  });
});
