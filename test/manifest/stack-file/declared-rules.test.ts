import { expect, test } from 'vitest';
import type { AccessSettings } from '../../../src/manifest/stack-file/access-schema.ts';
import { declaredRules } from '../../../src/manifest/stack-file/declared-rules.ts';

test('the place of an access rule is its item in `rules`, and that of the rule about public URLs is `public`', () => {
  const rule = (name: string) => ({ name, urls: ['shop.example.com/*'], require: ['named_users'] });
  const access = { public: ['www.example.com/*'], rules: [rule('shop'), rule('admin')], exceptions: [], strict: false };
  const declared = declaredRules(access as unknown as AccessSettings, 'repository', (path) => ({
    file: path.join('/'),
    line: 1,
    col: 1,
  }));
  const placeOf = (name: string): string | undefined => declared?.placeOf?.(name).file;
  expect(['shop', 'admin', 'public'].map(placeOf)).toEqual(['access/rules/0', 'access/rules/1', 'access/public']);
});
