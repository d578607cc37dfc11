import { repositoryAddress } from './repository-address';

describe('repositoryAddress', () => {
  it.each([
    ['acme/shop', null, 'https://github.com/acme/shop.git', 'shop'],
    ['acme/shop', 'gitlab', 'https://gitlab.com/acme/shop.git', 'shop'],
    ['group/sub/shop', 'gitlab', 'https://gitlab.com/group/sub/shop.git', 'shop'],
    ['acme/My shop/web', 'azure_devops', 'https://dev.azure.com/acme/My%20shop/_git/web', 'web'],
    ['https://git.example.com/a/b.git', null, 'https://git.example.com/a/b.git', 'b'],
    ['http://127.0.0.1:8080/b.git', null, 'http://127.0.0.1:8080/b.git', 'b'],
  ])('%s at %s is cloned from %s', (repository, provider, url, folder) => {
    expect(repositoryAddress(repository, { provider, origin: null }, ['127.0.0.1:8080'])).toEqual({
      url,
      folder,
    });
  });

  it.each([
    ['acme', null],
    ['../shop', null],
    ['acme/..', null],
    ['--upload-pack=x/y z', null],
    ['acme/shop', 'bitbucket_data_center'],
    ['acme/shop', 'azure_devops'],
    ['acme/../web', 'azure_devops'],
    ['acme/shop/..', 'azure_devops'],
    ['http://example.com/a/b', null],
    ['https://user:secret@example.com/a/b', null],
    ['ext::sh -c x', null],
    ['file:///etc/passwd', null],
  ])('refuses %s at %s', (repository, provider) => {
    expect(() => repositoryAddress(repository, { provider, origin: null }, [])).toThrow();
  });

  it('reads short names at the host that a provider has for somebody', () => {
    const at = (provider: string, origin: string) =>
      repositoryAddress('acme/shop', { provider, origin }, ['127.0.0.1:8080']).url;
    expect(at('github', 'https://git.acme.example')).toBe('https://git.acme.example/acme/shop.git');
    expect(at('gitlab', 'http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/acme/shop.git');
    expect(() => at('gitlab', 'http://git.acme.example')).toThrow('must be https');
  });
});
