import { describe, expect, test } from 'vitest';
import { isPrintable } from '../../../src/manifest/read/is-printable.ts';

const isShown = (text: string): boolean => isPrintable({ from_file: 'policy.yaml' }, 'policy', text);

describe('a file in the place of a policy is shown', () => {
  test.each([
    'inbound: []\n',
    'inbound:\n  - name: small-bodies-only\n    actions: [{type: deny}]\n',
    'enabled: true\noutbound:\n',
    '- {name: a, actions: []}\n- {name: b, actions: [{type: deny}]}\n',
    '{"on_http_request": [{"actions": []}], "enabled": false}',
  ])('if it has rules: %j', (text) => {
    expect(isShown(text)).toBe(true);
  });

  test.each([
    'a password',
    '{"type": "service_account", "client_email": "a@example.com", "token": "canary"}',
    '{"auths": {"registry.example.com": {"auth": "canary"}}}',
    'apiVersion: v1\nkind: Config\nusers: [{name: me, user: {token: canary}}]\n',
    'database:\n  password: canary\n',
    'tokens: [canary, canary]\n',
    '[canary]',
    'inbound: []\ntoken: canary\n',
    '{"keys": [{"kty": "oct", "k": "canary"}]}',
    '[{"user": "me", "password": "canary"}]',
    'inbound: [\n',
    `inbound: []\n# ${'x'.repeat(100_000)}\n`,
    '['.repeat(50_000),
    '- '.repeat(40_000),
  ])('not if it may be a file of credentials: %.60j', (text) => {
    expect(isShown(text)).toBe(false);
  });
});
