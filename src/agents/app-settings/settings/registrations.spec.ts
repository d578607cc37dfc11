import { compose, toStore } from './stored-settings';

const registration = (name: string, source: string) => ({
  name,
  source,
  ref: null,
  repo_path: null,
  auto_load: false,
});
const composed = (...lists: Parameters<typeof compose>) =>
  compose(...lists).map(({ name, source, scope }) => `${name} ${source} ${scope}`);

describe('composed marketplaces', () => {
  it('are those of instance, organization and person', () => {
    expect(composed([registration('a', 'i')], [registration('b', 'o')], [registration('c', 'p')])).toEqual([
      'a i instance',
      'b o org',
      'c p personal',
    ]);
  });

  it('let an organization override the instance', () => {
    expect(composed([registration('a', 'i')], [registration('a', 'o')], [])).toEqual(['a o org']);
  });

  it('let nobody shadow what is inherited', () => {
    expect(
      composed(
        [registration('a', 'i')],
        [registration('b', 'o')],
        [registration('a', 'p'), registration('b', 'p')],
      ),
    ).toEqual(['a i instance', 'b o org']);
  });
});

describe('registrations to keep', () => {
  it('have no scope', () => {
    expect(toStore([{ ...registration('a', 's'), scope: 'instance' }])).toEqual([registration('a', 's')]);
  });

  it('are refused with the names that stand twice', () => {
    const names = ['a', 'b', 'a', 'c', 'b', 'a'].map((name) => ({ ...registration(name, 's'), scope: null }));
    expect(() => toStore(names)).toThrow(/twice: a, b\.$/);
  });
});
