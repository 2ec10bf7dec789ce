import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import { statusJsonSchema } from '../../../src/render/status/status-json-schema.ts';
import type { WatchStatus } from '../../../src/model/watch-status.ts';
import { statusOfTexts } from '../../watch/hostile-status.ts';
import { awaiting, statuses } from '../../watch/statuses.ts';
import { hostile } from '../hostile-text.ts';

const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/status.schema.json', import.meta.url), 'utf8')) as object,
);

function document(status: WatchStatus): unknown {
  return JSON.parse(jsonText(statusJson(status)));
}

describe('a status as JSON', () => {
  test.each(Object.entries(statuses))('is what its schema says: %s', (_, status) => {
    expect(validate(document(status)), JSON.stringify(validate.errors)).toBe(true);
  });

  test('has keys in snake_case and times in RFC 3339', () => {
    expect(document(awaiting)).toMatchObject({
      format_version: '1.0',
      time: '2026-03-14T12:00:00.000Z',
      last_success: '2026-03-14T09:00:00.000Z',
      approval_digest: '91b2cc04',
      summary: { pending: 4, 'in-sync': 10 },
      pending: [{ address: 'ReservedAddr/mqtt-us', reason: 'approval', since: '2026-03-14T11:34:00.000Z' }, {}, {}, {}],
    });
  });

  test('is the same document whatever texts hold, with nothing that acts on a terminal', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 40 }), (texts) => {
        const text = jsonText(statusJson(statusOfTexts(texts)));
        expect(statusJsonSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.exec(text.replaceAll('\n', ''))).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});
