import { withHiddenHeaders } from './received-event';

describe('headers of models in the state of a conversation', () => {
  it('are hidden, and nothing else of its text changes', () => {
    const state = { llm: { extra_headers: { 'X-Team': 'a"b}c', Accept: '\\' }, timeout: 1 }, n: 1 };
    const text = JSON.stringify({ value: state, said: '"extra_headers": {"a": "b"}' }, null, 2);
    const hidden = withHiddenHeaders(text);
    expect(JSON.parse(hidden)).toEqual({
      value: {
        ...state,
        llm: { ...state.llm, extra_headers: { 'X-Team': '**********', Accept: '**********' } },
      },
      said: '"extra_headers": {"a": "b"}',
    });
    expect(hidden.replaceAll('"**********"', '').length).toBe(text.replace(/"a\\"b}c"|"\\\\"/g, '').length);
  });

  it.each(['{"extra_headers":null,"n":1.0}', '{"extra_headers": {}}', '{"extra_headers":{"a":1}}'])(
    'are not there: %s stays as it is',
    (text) => {
      expect(withHiddenHeaders(text)).toBe(text);
    },
  );
});
