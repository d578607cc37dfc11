import { choosesModel } from './model-paths';

const ID = '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22';

describe('a request that would have an agent server call another model', () => {
  it.each([
    ['POST', '/api/conversations'],
    ['POST', '/api/conversations/'],
    ['POST', '//api//conversations'],
    ['POST', '/api/./conversations'],
    ['POST', '/API/Conversations'],
    ['POST', '/api/%63onversations'],
    ['POST', '/api/%2563onversations'],
    ['POST', '/api\\conversations'],
    ['POST', '/api/conversations;v=1'],
    ['POST', '/api/acp/conversations'],
    ['POST', `/api/conversations/${ID}/switch_llm`],
    ['POST', `/api/conversations/${ID}/switch%5Fprofile`],
    ['POST', `/api/conversations/${ID}/switch_profile/`],
    ['POST', `/api/conversations/${ID}/switch_acp_model`],
    ['PATCH', '/api/settings'],
    ['PUT', '/api/settings/secrets'],
    ['POST', '/api/profiles/mine'],
    ['POST', '/api/profiles/mine/activate'],
    ['DELETE', '/api/profiles/mine'],
    ['POST', '/api/llm/provider-connections'],
    ['POST', '/api/llm/subscription/openai/device/start'],
    ['POST', '/api/agent-profiles/mine'],
    ['POST', '/api/meta-profiles/mine/activate'],
    ['POST', '/api/init'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1/responses'],
  ])('%s %s', (method, path) => {
    expect(choosesModel(method, path)).toBe(true);
  });

  it.each([
    ['GET', '/api/conversations'],
    ['GET', '/api/profiles'],
    ['GET', '/v1/models'],
    ['POST', `/api/conversations/${ID}`],
    ['PATCH', `/api/conversations/${ID}`],
    ['POST', `/api/conversations/${ID}/run`],
    ['POST', `/api/conversations/${ID}/events`],
    ['POST', `/api/conversations/${ID}/fork`],
    ['POST', '/api/bash/execute_bash_command'],
    ['POST', '/api/file/upload/settings'],
    ['POST', '/api/settingsx'],
    ['POST', '/api/%zz'],
    ['POST', '/'],
  ])('is not %s %s', (method, path) => {
    expect(choosesModel(method, path)).toBe(false);
  });
});
