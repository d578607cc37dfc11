import { pathInside } from './conversation-views';

const FOLDER = '/srv/sandboxes/workspace/0af3';

describe('a path in the folder of a conversation', () => {
  it.each([
    ['/workspace/project', FOLDER],
    ['/workspace/project/', `${FOLDER}/`],
    ['/workspace/project/shop/a b.ts', `${FOLDER}/shop/a b.ts`],
    [`${FOLDER}/shop`, `${FOLDER}/shop`],
    ['shop/a.ts', `${FOLDER}/shop/a.ts`],
    ['/workspace/project/a/../b', `${FOLDER}/b`],
    ['.', FOLDER],
  ])('%s is %s', (requested, path) => {
    expect(pathInside(FOLDER, requested)).toBe(path);
  });

  it.each([
    '/etc/passwd',
    '/workspace/projects',
    '/workspace/project/../../etc/passwd',
    '../other',
    `${FOLDER}/../other`,
    `${FOLDER}-other`,
    '/',
    'a\0b',
  ])('%j is none', (requested) => {
    expect(() => pathInside(FOLDER, requested)).toThrow('not in the folder');
  });

  it('may be relative, as the folder of a shared agent server is', () => {
    expect(pathInside('workspace/1/0af3', '/workspace/project/a.ts')).toBe('workspace/1/0af3/a.ts');
    expect(() => pathInside('workspace/1/0af3', '../../2')).toThrow('not in the folder');
  });
});
