import { PROVIDER_APIS } from './provider-apis';

describe('the API of a provider', () => {
  it.each([
    ['github', 'https://github.com/acme', 'https://api.github.com/'],
    ['github', 'https://git.acme.example/team', 'https://git.acme.example/api/v3'],
    ['gitlab', 'https://gitlab.com/', 'https://gitlab.com/api/v4'],
    ['gitlab', 'https://git.acme.example:8443/', 'https://git.acme.example:8443/api/v4'],
    ['bitbucket', 'https://bitbucket.org/acme', 'https://api.bitbucket.org/2.0'],
    ['forgejo', 'https://codeberg.org/', 'https://codeberg.org/api/v1'],
    ['forgejo', 'https://git.acme.example/', 'https://git.acme.example/api/v1'],
    ['azure_devops', 'https://dev.azure.com/acme/shop', 'https://dev.azure.com/acme'],
  ] as const)('of %s for %s is at %s', (provider, address, base) => {
    expect(PROVIDER_APIS[provider].base(new URL(address))?.href).toBe(base);
  });

  it('of Azure DevOps needs an organization in the address', () => {
    expect(PROVIDER_APIS.azure_devops.base(new URL('https://dev.azure.com/'))).toBeNull();
  });

  it('of Bitbucket takes access tokens, and passwords of users', () => {
    const common = { id: '', url_prefix: 'https://bitbucket.org/', password: 'p', provider: null };
    const { bitbucket } = PROVIDER_APIS;
    expect(bitbucket.authorization({ ...common, username: 'x-token-auth' })).toBe('Bearer p');
    expect(bitbucket.authorization({ ...common, username: 'a' })).toBe('Basic YTpw');
  });
});
