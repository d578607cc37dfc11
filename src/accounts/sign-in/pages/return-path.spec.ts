import { returnPath } from './return-path';

describe('where somebody who signed in goes on', () => {
  it.each([
    '/',
    '/conversations/1?tab=files#end',
    '/settings',
    '/a%2Fb',
    '/?next=https://evil.example',
    '/a//b',
    '/%2f%2fevil.example',
  ])('is %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    '',
    'https://evil.example',
    'HTTPS:evil.example',
    'javascript:alert(1)',
    'evil',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '//user@evil.example',
    '//[::1',
  ])('is the start, and not %j', (path) => {
    expect(returnPath(path)).toBe('/');
  });
});
