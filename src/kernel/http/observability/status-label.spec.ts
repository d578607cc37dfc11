import { statusLabel } from './metrics';

describe('the status label of metrics', () => {
  it.each([
    [200, '200'],
    [404, '404'],
    [503, '503'],
    [299, '2xx'],
    [499, '4xx'],
    [520, '5xx'],
    [599, '5xx'],
    [600, '6xx'],
    [999, '9xx'],
  ])('is for %i %p', (status, label) => {
    expect(statusLabel(status)).toBe(label);
  });

  it('has few values, however many statuses there are', () => {
    const statuses = Array.from({ length: 900 }, (_, index) => 100 + index);
    expect(new Set(statuses.map(statusLabel)).size).toBeLessThan(80);
  });

  it('is one that dashboards and alerts count as an error for every status from 500 to 599', () => {
    for (let status = 500; status <= 599; status++) expect(statusLabel(status)).toMatch(/^5..$/);
  });
});
