import { PROVIDER_APIS } from './provider-apis';

describe('the API of a provider', () => {
  it.each([
    ['github', 'https://github.com/acme', ['https://api.github.com/']],
    ['github', 'https://git.acme.example/team', ['https://git.acme.example/api/v3']],
    ['gitlab', 'https://gitlab.com/acme/sub', ['https://gitlab.com/api/v4']],
    ['gitlab', 'https://git.acme.example:8443/', ['https://git.acme.example:8443/api/v4']],
    [
      'gitlab',
      'https://acme.example/git/team',
      [
        'https://acme.example/git/team/api/v4',
        'https://acme.example/git/api/v4',
        'https://acme.example/api/v4',
      ],
    ],
    ['bitbucket', 'https://bitbucket.org/acme', ['https://api.bitbucket.org/2.0']],
    ['forgejo', 'https://codeberg.org/acme', ['https://codeberg.org/api/v1']],
    ['forgejo', 'https://acme.example/', ['https://acme.example/api/v1']],
    [
      'forgejo',
      'https://acme.example/git',
      ['https://acme.example/git/api/v1', 'https://acme.example/api/v1'],
    ],
    ['azure_devops', 'https://dev.azure.com/acme/shop', ['https://dev.azure.com/acme']],
    // Without an organization nothing is found.
    ['azure_devops', 'https://dev.azure.com/', []],
  ] as const)('of %s for %s is at one of %j', (provider, address, urls) => {
    expect(PROVIDER_APIS[provider].bases(new URL(address)).map(({ url }) => url.href)).toEqual(urls);
  });

  it('of Bitbucket takes access tokens, and passwords of users', () => {
    const common = { id: '', url_prefix: 'https://bitbucket.org/', password: 'p', provider: null };
    const { bitbucket } = PROVIDER_APIS;
    expect(bitbucket.authorization({ ...common, username: 'x-token-auth' })).toBe('Bearer p');
    expect(bitbucket.authorization({ ...common, username: 'a' })).toBe('Basic YTpw');
  });
});
