import { contentFingerprint, messageFingerprint } from './delivery-verifier';

function event(content: unknown, source = 'user'): unknown {
  return { id: '1', kind: 'MessageEvent', source, llm_message: { role: 'user', content } };
}

describe('the fingerprint of a message', () => {
  it('is the same for what was sent and what the agent server stored of it', () => {
    const sent = contentFingerprint([{ text: 'yes' }, { type: 'image', image_urls: ['data:x'] }]);
    const stored = messageFingerprint(
      event([
        { cache_prompt: false, type: 'text', text: 'yes' },
        { cache_prompt: false, type: 'image', image_urls: ['data:x'] },
      ]),
    );
    expect(stored).toBe(sent);
  });

  it.each([
    [[{ type: 'text', text: 'no' }]],
    [[{ type: 'text', text: 'yes', cache_prompt: true }]],
    [
      [
        { type: 'text', text: 'yes' },
        { type: 'text', text: 'yes' },
      ],
    ],
    [[{ type: 'image', image_urls: ['yes'] }]],
  ])('differs for %j', (content) => {
    expect(contentFingerprint(content)).not.toBe(contentFingerprint([{ type: 'text', text: 'yes' }]));
  });

  it('is none for events that are no message of the user', () => {
    expect(messageFingerprint(event([], 'agent'))).toBeNull();
    expect(messageFingerprint({ kind: 'PauseEvent', source: 'user' })).toBeNull();
  });
});
