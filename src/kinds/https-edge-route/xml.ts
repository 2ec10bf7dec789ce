import { DOMParser } from '@xmldom/xmldom';
import type { Check } from '../kind.ts';

/** Well-formed XML. Warnings of the parser are ignored. */
export const wellFormedXml: Check = {
  code: 'INVALID_XML',
  since: 'completed',
  test: (value) => {
    let wrong: string | undefined;
    const parser = new DOMParser({
      onError: (level) => {
        if (level !== 'warning') throw new SyntaxError(level);
      },
    });
    try {
      parser.parseFromString(String(value), 'text/xml');
    } catch {
      wrong = 'must be XML with a single root element';
    }
    return wrong;
  },
};
