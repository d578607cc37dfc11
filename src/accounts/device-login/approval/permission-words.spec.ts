import { permissionsOf } from '../../../kernel/auth';
import { permissionWords } from './permission-words';

describe('the words for a permission', () => {
  it('are there for each of the service’s own', () => {
    const words = permissionsOf('owner').map(permissionWords);
    expect(words.filter((text) => !/^[a-z].* /.test(text))).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
  });

  it('are its name, for one of an extension', () => {
    expect(permissionWords('acme:manage_notes')).toBe('acme:manage_notes');
  });
});
