import { expect, test } from 'vitest';
import { rewrittenTexts } from '../../../src/derive/stored/rewritten-texts.ts';
import { kinds } from '../../../src/kinds/index.ts';

test('only a text that is shown otherwise than it was sent costs digests, which take milliseconds each', () => {
  const fields = kinds.named('ReservedAddr')?.fields ?? {};
  const digested: string[] = [];
  const found = (shown: string): unknown =>
    rewrittenTexts(fields, { description: 'Sensors' }, { description: shown }, (text) => {
      digested.push(text);
      return `digest of ${text}`;
    });
  expect(found('Sensors')).toEqual({ '/description': undefined });
  expect(digested).toEqual([]);
  expect(found('sensors')).toEqual({ '/description': { sent: 'digest of Sensors', shown: 'digest of sensors' } });
});
