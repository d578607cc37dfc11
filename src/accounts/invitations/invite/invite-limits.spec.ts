import { checkLimits, inviteLimitHeaders, type Demand, type Use } from './invite-limits';
import { InvitationLimitError } from '../record/invitations.errors';

const limit = { most: 10, windowSeconds: 60, refusal: 'Too many.' };

function demand(used: readonly Use[], wanted: number): Demand {
  return { limit, used, wanted };
}

function refusalOf(...demands: Demand[]): InvitationLimitError {
  try {
    checkLimits(demands);
  } catch (error) {
    if (error instanceof InvitationLimitError) return error;
    throw error;
  }
  throw new Error('was let through');
}

describe('the limits of invitations', () => {
  it('let through what fits to the last unit', () => {
    expect(() => checkLimits([demand([{ amount: 4, ageSeconds: 1 }], 6)])).not.toThrow();
  });

  it('refuse what does not fit, and say when enough will have left the window', () => {
    const used = [
      { amount: 2, ageSeconds: 50 },
      { amount: 3, ageSeconds: 30.2 },
      { amount: 5, ageSeconds: 10 },
    ];
    expect(refusalOf(demand(used, 1)).headers['Retry-After']).toBe('10');
    expect(refusalOf(demand(used, 3)).headers['Retry-After']).toBe('30');
    expect(refusalOf(demand(used, 6)).headers['Retry-After']).toBe('50');
  });

  it('name the whole window for more than they ever give', () => {
    expect(refusalOf(demand([], 11)).headers['Retry-After']).toBe('60');
  });

  it('answer the longest wait when several are exceeded', () => {
    const error = refusalOf(
      demand([{ amount: 10, ageSeconds: 55 }], 1),
      demand([{ amount: 10, ageSeconds: 5 }], 1),
    );
    expect(error.headers).toEqual({
      'Retry-After': '55',
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '55',
      'RateLimit-Policy': '10;w=60, 10;w=60',
    });
  });

  it('say what is left after a call that was allowed', () => {
    const met = demand([{ amount: 3, ageSeconds: 20 }], 2);
    expect(inviteLimitHeaders(met, [met])).toEqual({
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '5',
      'RateLimit-Reset': '40',
      'RateLimit-Policy': '10;w=60',
    });
  });
});
