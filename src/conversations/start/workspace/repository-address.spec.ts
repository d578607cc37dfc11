import { repositoryAddress } from './repository-address';

describe('repositoryAddress', () => {
  it.each([
    ['acme/shop', null, 'https://github.com/acme/shop.git', 'shop'],
    ['acme/shop', 'gitlab', 'https://gitlab.com/acme/shop.git', 'shop'],
    ['group/sub/shop', 'gitlab', 'https://gitlab.com/group/sub/shop.git', 'shop'],
    ['https://git.example.com/a/b.git', null, 'https://git.example.com/a/b.git', 'b'],
    ['http://127.0.0.1:8080/b.git', null, 'http://127.0.0.1:8080/b.git', 'b'],
  ])('%s at %s is cloned from %s', (repository, provider, url, folder) => {
    expect(repositoryAddress(repository, provider, ['127.0.0.1:8080'])).toEqual({ url, folder });
  });

  it.each([
    ['acme', null],
    ['../shop', null],
    ['acme/..', null],
    ['--upload-pack=x/y z', null],
    ['acme/shop', 'bitbucket_data_center'],
    ['http://example.com/a/b', null],
    ['https://user:secret@example.com/a/b', null],
    ['ext::sh -c x', null],
    ['file:///etc/passwd', null],
  ])('refuses %s at %s', (repository, provider) => {
    expect(() => repositoryAddress(repository, provider, [])).toThrow();
  });
});
