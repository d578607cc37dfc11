import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox } from '../../kernel/common';
import { readSettings } from '../../kernel/config';
import { GatewayAccess, reportedModel } from './gateway-access';
import { ModelKeys } from './model-keys';

const keys = new ModelKeys(new SecretBox(['a secret']));
const accessWith = (env: Readonly<Record<string, string>>) => new GatewayAccess(readSettings(env), keys);

describe('the key of a conversation for models', () => {
  it('says which conversation calls, also after the secret has changed', () => {
    const id = randomUUID();
    const key = keys.issue(id);
    expect(key).toMatch(/^ocs-llm-[\w.-]+$/);
    expect(keys.conversationOf(key)).toBe(id);
    const later = new ModelKeys(new SecretBox(['another secret', 'a secret']));
    expect(later.conversationOf(key)).toBe(id);
    expect(later.issue(id)).not.toBe(key);
    expect(new ModelKeys(new SecretBox(['another secret'])).conversationOf(key)).toBeNull();
  });

  it('is nothing with any character changed, left out or added', () => {
    const key = keys.issue(randomUUID());
    fc.assert(
      fc.property(fc.nat({ max: key.length - 1 }), fc.string({ maxLength: 2 }), (at, put) => {
        const other = key.slice(0, at) + put + key.slice(at + 1);
        expect(keys.conversationOf(other)).toBe(other === key ? keys.conversationOf(key) : null);
      }),
      { numRuns: 2_000 },
    );
    for (const other of ['', 'ocs-llm-', `${key} `, key.toUpperCase(), `${key}=`, `Bearer ${key}`])
      expect(keys.conversationOf(other)).toBeNull();
  });
});

describe('where an agent finds a model', () => {
  const on = accessWith({ MODEL_GATEWAY: 'on', CALLBACK_URL: 'https://service.example/base/' });
  const id = randomUUID();

  it.each([
    ['openai/gpt-5', 'openai/gpt-5', '/base/llm/v1'],
    ['gpt-5', 'openai/gpt-5', '/base/llm/v1'],
    ['anthropic/claude-opus-5', 'anthropic/claude-opus-5', '/base/llm'],
    ['gemini/gemini-2.5-pro', 'litellm_proxy/gemini/gemini-2.5-pro', '/base/llm/v1'],
    ['openrouter/anthropic/claude', 'litellm_proxy/openrouter/anthropic/claude', '/base/llm/v1'],
    ['litellm_proxy/house', 'litellm_proxy/litellm_proxy/house', '/base/llm/v1'],
    ['house', 'litellm_proxy/house', '/base/llm/v1'],
  ])('%s: as %s at %s', (name, model, path) => {
    const place = on.placeOf(name, id);
    expect(place).toEqual({ model, baseUrl: `https://service.example${path}`, apiKey: keys.issue(id) });
    const full = reportedModel({ model, base_url: place?.baseUrl });
    expect([full, full.split('/').at(-1)]).toContain(name);
  });

  it('is where it was, with the gateway off', () => {
    expect(accessWith({}).placeOf('openai/gpt-5', id)).toBeNull();
    expect(reportedModel({ model: 'litellm_proxy/house', base_url: 'https://house.example/v1' })).toBe(
      'litellm_proxy/house',
    );
    expect(reportedModel({ model: 'litellm_proxy/house' })).toBe('litellm_proxy/house');
  });
});
