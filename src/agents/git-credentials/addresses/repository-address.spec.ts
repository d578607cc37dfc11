import { AllowedHosts } from '../../../kernel/common';
import { repositoryAddress } from './repository-address';

const hosts = new AllowedHosts('GIT_ALLOWED_HOSTS', ['127.0.0.1:8080']);

describe('the address of a repository', () => {
  it.each([
    ['acme/shop', null, 'https://github.com/acme/shop.git'],
    ['acme/shop', 'gitlab', 'https://gitlab.com/acme/shop.git'],
    ['group/sub/shop', 'gitlab', 'https://gitlab.com/group/sub/shop.git'],
    ['acme/tool & "more"', 'forgejo', 'https://codeberg.org/acme/tool%20%26%20%22more%22.git'],
    ['--upload-pack=x/y z', null, 'https://github.com/--upload-pack%3Dx/y%20z.git'],
    ['acme/shop.git', 'forgejo', 'https://codeberg.org/acme/shop.git'],
    ['acme/My shop/web', 'azure_devops', 'https://dev.azure.com/acme/My%20shop/_git/web'],
    ['acme/My shop/My web', 'azure_devops', 'https://dev.azure.com/acme/My%20shop/_git/My%20web'],
    ['acme/Läden/Größe', 'azure_devops', 'https://dev.azure.com/acme/L%C3%A4den/_git/Gr%C3%B6%C3%9Fe'],
    ['https://dev.azure.com/acme/My shop/_git/a b', null, 'https://dev.azure.com/acme/My%20shop/_git/a%20b'],
    [
      'https://acme@dev.azure.com/acme/My%20shop/_git/web',
      'azure_devops',
      'https://dev.azure.com/acme/My%20shop/_git/web',
    ],
    ['https://git.example.com/a/b.git', null, 'https://git.example.com/a/b.git'],
    ['https://Git.Example.COM.:443/a/b/', null, 'https://git.example.com/a/b'],
    ['http://127.0.0.1:8080/b.git', null, 'http://127.0.0.1:8080/b.git'],
    ['https://gitlab.com/group/sub/shop', null, 'https://gitlab.com/group/sub/shop'],
    ['https://github.com/acme/shop/', null, 'https://github.com/acme/shop'],
    ['https://dev.azure.com/acme/_git/web', null, 'https://dev.azure.com/acme/_git/web'],
    ['https://git.example.com/~a/日本', null, 'https://git.example.com/~a/%E6%97%A5%E6%9C%AC'],
  ])('%s at %s is cloned from %s', (repository, provider, url) => {
    expect(repositoryAddress(repository, { provider, connections: [] }, hosts)).toBe(url);
  });

  it.each([
    ['acme', null],
    ['../shop', null],
    ['acme/..', null],
    ['acme//shop', null],
    ['git@github.com:acme/shop', null],
    [' /shop', null],
    ['acme/shop', 'bitbucket_data_center'],
    ['acme/shop', 'azure_devops'],
    ['acme/../web', 'azure_devops'],
    ['acme/shop/..', 'azure_devops'],
    ['acme/shop/%2e%2e', 'azure_devops'],
    ['acme/a\\b/web', 'azure_devops'],
    ['http://example.com/a/b', null],
    ['https://user:secret@example.com/a/b', null],
    ['https://example.com', null],
    ['https://example.com/a/b?x=1', null],
    ['https://10.0.0.1/a/b', null],
    ['https://0x7f.1/a/b', null],
    ['https://[::1]/a/b', null],
    ['https://[::ffff:169.254.169.254]/a/b', null],
    ['https://localhost/a/b', null],
    ['https://git.localhost./a/b', null],
    ['acme/shop/tree/main', null],
    ['https://github.com/acme', null],
    ['https://github.com/acme/shop/tree/main', null],
    ['https://gitlab.com/acme/shop/-/tree/main', null],
    ['https://bitbucket.org/acme/shop/src', null],
    ['https://dev.azure.com/acme/shop', null],
    ['ssh://git@example.com/a/b', null],
    ['ext::sh -c x', null],
    ['file:///etc/passwd', null],
  ])('%s at %s is refused', (repository, provider) => {
    expect(() => repositoryAddress(repository, { provider, connections: [] }, hosts)).toThrow();
  });

  it.each([
    ['github', 'acme/shop', ['https://git.acme.example/'], 'https://git.acme.example/acme/shop.git'],
    ['github', 'other/shop', ['https://git.acme.example/acme'], 'https://git.acme.example/other/shop.git'],
    ['gitlab', 'acme/shop', ['http://127.0.0.1:8080/'], 'http://127.0.0.1:8080/acme/shop.git'],
    ['gitlab', 'acme/shop', ['https://gitlab.com/other'], 'https://gitlab.com/acme/shop.git'],
    ['gitlab', 'acme/shop', ['https://acme.example/git'], 'https://acme.example/git/acme/shop.git'],
    ['gitlab', 'acme/shop', ['https://acme.example/git/Acme'], 'https://acme.example/git/acme/shop.git'],
    ['forgejo', 'acme/shop', ['https://acme.example/acme/shop.git'], 'https://acme.example/acme/shop.git'],
    ['forgejo', 'b/x', ['https://acme.example/a', 'https://acme.example/b'], 'https://acme.example/b/x.git'],
    ['forgejo', 'c/x', ['https://acme.example/a', 'https://acme.example/'], 'https://acme.example/c/x.git'],
    ['azure_devops', 'o/p/r', ['https://tfs.example/o'], 'https://tfs.example/o/p/_git/r'],
  ])('of a short name at %s is where the credentials say: %s with %j', (provider, name, connections, url) => {
    expect(repositoryAddress(name, { provider, connections }, hosts)).toBe(url);
  });

  it('of a short name is not at a host that may be reached by https only', () => {
    const place = { provider: 'gitlab', connections: ['http://git.acme.example/'] };
    expect(() => repositoryAddress('acme/shop', place, hosts)).toThrow('use https');
  });
});
