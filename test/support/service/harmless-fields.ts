const NO_SECRETS_OF_MODELS = [
  'auth_type',
  'aws_bedrock_runtime_endpoint',
  'custom_tokenizer',
  'enable_encrypted_reasoning',
  'extended_thinking_budget',
  'input_cost_per_token',
  'max_input_tokens',
  'max_output_tokens',
  'ollama_base_url',
  'output_cost_per_token',
];

/** Fields whose names or descriptions are like those of secrets, and of which none is kept, by what they are. */
export const HARMLESS_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'handed on or used, and not kept': [
    'POST /api/cloud-proxy .headers',
    'POST /api/organizations/members/invite/accept .token',
    'POST /api/keys/report .key',
  ],
  'limit how many tokens models may write': [
    'POST /api/organizations/{org_id}/budgets .limit_tokens',
    'PATCH /api/organizations/{org_id}/budgets/{budget_id} .limit_tokens',
    'PUT /api/organizations/{org_id}/model-policy .max_output_tokens',
  ],
  'say what is asked of keys': ['key_makers', 'keys_beside_provider', 'longest_key_days'].map(
    (name) => `PUT /api/organizations/{org_id}/credential-rules .${name}`,
  ),
  'say what tokens of a provider are for, and whether it is asked about them': [
    'POST /api/organizations/{org_id}/identity-providers',
    'PATCH /api/organizations/{org_id}/identity-providers/{provider_id}',
  ].flatMap((operation) => [`${operation} .audience`, `${operation} .introspection`]),
  'say for whom tokens of a provider are': [
    'PUT /api/organizations/{org_id}/service-accounts/{account_id}/identity .subject',
  ],
  'refused, whatever is in it': ['PATCH /api/v1/app-conversations/{id} .secrets'],
  'say how models are called': [
    'POST /api/v1/settings .agent_settings_diff.llm',
    'POST /api/v1/settings/profiles/{name} .llm',
    'POST /api/organizations/{org_id}/profiles/{name} .llm',
  ].flatMap((model) => [
    ...NO_SECRETS_OF_MODELS.map((name) => `${model}.${name}`),
    ...(model.includes('profiles') ? [`${model}.api_key_set`] : []),
  ]),
  'addresses that hold no secret': [
    'PATCH /api/organizations/{org_id}/git-credentials/{credential_id} .url_prefix',
    'PATCH /api/v1/git/credentials/{credential_id} .url_prefix',
    'POST /api/organizations/app .registered_marketplaces.source',
    'POST /api/users/app .registered_marketplaces.source',
    'POST /api/v1/skills/marketplace-skills .source',
  ],
};
