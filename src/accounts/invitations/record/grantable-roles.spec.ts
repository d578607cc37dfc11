import { mayGrant } from './invitation-record';

describe('who may invite as what', () => {
  it.each([
    ['owner', 'owner', true],
    ['owner', 'admin', true],
    ['owner', 'member', true],
    ['admin', 'owner', false],
    ['admin', 'admin', true],
    ['admin', 'member', true],
    ['member', 'owner', false],
    ['member', 'admin', false],
    ['member', 'member', false],
  ] as const)('%s as %s: %s', (inviter, granted, may) => {
    expect(mayGrant(inviter, granted)).toBe(may);
  });
});
