import { templateOf } from './call-span';

describe('the template of a call to an agent server', () => {
  it.each([
    ['/api/conversations/0b1c/events/search?page_id=private', '/api/conversations/{id}/events/search'],
    ['/api/file/download?path=%2Fworkspace%2Fprivate', '/api/file/download'],
    ['/api/private/private%2Fname', '/api/{id}/{id}'],
    ['/health', '/health'],
  ])('of %s is %s', (path, template) => {
    expect(templateOf(path)).toBe(template);
  });
});
