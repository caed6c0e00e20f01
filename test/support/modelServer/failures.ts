import type { FailureName } from './scenario.ts';

/** A refused request as it goes over the wire. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const statusOf: Readonly<Record<FailureName, number>> = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  unknownModel: 404,
  rateLimited: 429,
  usageLimit: 429,
  quota: 429,
  serverError: 500,
  overloaded: 529,
};

/** 2033-05-18, far enough away that a client never waits for it and a test can name it. */
const usageResetsAt = 1_999_999_999;

/** `error` objects in the shape of the OpenAI APIs; `usage_limit_reached` is what the ChatGPT plans answer to Codex. */
const openAiErrors: Readonly<Record<FailureName, Readonly<Record<string, unknown>>>> = {
  badRequest: { message: 'Unsupported parameter in this request.', type: 'invalid_request_error' },
  unauthorized: {
    message: 'Incorrect API key provided.',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  },
  forbidden: { message: 'This account may not use the service.', type: 'forbidden' },
  unknownModel: {
    message: 'The model does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    code: 'model_not_found',
  },
  rateLimited: {
    message: 'Rate limit reached. Please try again in 1s.',
    type: 'rate_limit_exceeded',
    code: 'rate_limit_exceeded',
  },
  usageLimit: {
    message: 'The usage limit has been reached',
    type: 'usage_limit_reached',
    plan_type: 'pro',
    resets_at: usageResetsAt,
  },
  quota: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' },
  serverError: { message: 'The server had an error.', type: 'server_error' },
  overloaded: { message: 'The server is overloaded.', type: 'server_error' },
};

/** `error` objects in the shape of the Anthropic API, where a used-up balance is an invalid request. */
const anthropicErrors: Readonly<Record<FailureName, Readonly<Record<string, unknown>>>> = {
  badRequest: { type: 'invalid_request_error', message: 'Unsupported parameter in this request.' },
  unauthorized: { type: 'authentication_error', message: 'invalid x-api-key' },
  forbidden: { type: 'permission_error', message: 'This account may not use the service.' },
  unknownModel: { type: 'not_found_error', message: 'model not found' },
  rateLimited: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  usageLimit: { type: 'rate_limit_error', message: 'You have reached your usage limit.' },
  quota: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' },
  serverError: { type: 'api_error', message: 'Internal server error' },
  overloaded: { type: 'overloaded_error', message: 'Overloaded' },
};

/** The refusal `name` in the wording of one API family. */
export function httpFailure(name: FailureName, family: 'openai' | 'anthropic'): HttpFailure {
  const anthropicQuota = family === 'anthropic' && name === 'quota';
  const status = anthropicQuota ? 400 : statusOf[name];
  return {
    status,
    headers: status === 429 ? { 'retry-after': '1' } : {},
    body: family === 'anthropic' ? { type: 'error', error: anthropicErrors[name] } : { error: openAiErrors[name] },
  };
}
