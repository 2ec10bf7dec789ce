import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { readLifecycle } from '../../../src/manifest/check/lifecycle.ts';
import type { Written } from '../../../src/manifest/read/written.ts';

/** What is read of a lifecycle, and what is reported: the path, the message and the hint. */
function read(written: Written | undefined, kindName = 'HTTPSEdge') {
  const kind = kinds.named(kindName);
  if (kind === undefined) throw new Error(kindName);
  const reports: string[] = [];
  const lifecycle = readLifecycle(written, {
    ...{ kind, kinds, spec: {}, fileNamed: (path) => path, isNested: false },
    report: (path, { message, hint }) =>
      reports.push(`${path.join('.')}: ${message}${hint === undefined ? '' : ` (${hint})`}`),
  });
  return { lifecycle, reports };
}

describe('a lifecycle is read as it is written', () => {
  const cases: [Written, string?][] = [
    [{}],
    [{ protect: true }],
    [{ protect: false, on_remove: 'delete' }],
    [{ on_remove: 'retain' }],
    [{ ignore: [] }],
    [{ ignore: ['/description', '/mutual_tls/certificate_authority_ids', '/mutual_tls'] }],
    [{ adopt: 'edghts_1' }],
    [{ adopt: 'edghts_1', adopt_from: '0123abcd' }],
    [{ moved_from: 'HTTPSEdge/a' }],
    [{ moved_from: ['HTTPSEdge/a', 'HTTPSEdge/b'] }],
    [{ moved_from: 'HTTPSEdgeRoute/a:/' }, 'HTTPSEdgeRoute'],
    [{ valid_for: null, renew_before: null }, 'SSHHostCertificate'],
  ];
  test.each<[Written, string?]>(cases)('%j', (written, kind = 'HTTPSEdge') => {
    const present = Object.entries(written as object).filter(([, value]) => value !== null);
    expect(read(written, kind)).toEqual({ lifecycle: Object.fromEntries(present), reports: [] });
  });

  test('and is empty where nothing is, or null', () => {
    for (const nothing of [undefined, null, { protect: null, ignore: null }])
      expect(read(nothing)).toEqual({ lifecycle: {}, reports: [] });
  });
});

describe('what is wrong in a lifecycle is reported and omitted', () => {
  const at = (key: string, kind = 'HTTPSEdge') => `${key}: \`${kind}.lifecycle.${key}\``;
  const protect = `${at('protect')} must be a boolean (write true or false, without quotes)`;
  const pointer = (index: number) =>
    `ignore.${String(index)}: \`HTTPSEdge.lifecycle.ignore[${String(index)}]\` must be a JSON pointer to a field of spec, such as /description`;
  const moved = `${at('moved_from')} must be an address, such as HTTPSEdge/name, or a list of them`;
  const movedRoute = `${at('moved_from', 'HTTPSEdgeRoute')} must be an address, such as HTTPSEdgeRoute/parent:name, or a list of them`;
  const other = `${at('moved_from')} must be an address of the same kind: a ReservedAddr cannot become a HTTPSEdge`;
  const cases: [Written, readonly unknown[], string?][] = [
    ['protect', [': `lifecycle` must be a mapping']],
    [[], [': `lifecycle` must be a mapping']],
    [{ protect: 'true' }, [protect]],
    [{ protect: 0 }, [protect]],
    [{ on_remove: 'keep' }, [`${at('on_remove')} must be delete or retain`]],
    [{ on_remove: true }, [`${at('on_remove')} must be delete or retain`]],
    [{ ignore: '/description' }, [`${at('ignore')} must be a list of JSON pointers into spec`]],
    [{ ignore: ['/'] }, [pointer(0)]],
    [{ ignore: ['', 1] }, [pointer(0), pointer(1)]],
    [{ ignore: ['/description/'] }, [pointer(0)]],
    [{ ignore: ['/description/x'] }, [pointer(0)]],
    [{ ignore: ['/descriptoin'] }, [`${pointer(0)} (did you mean \`/description\`?)`]],
    [{ ignore: ['description'] }, [`${pointer(0)} (did you mean \`/description\`?)`]],
    [{ ignore: ['/spec/description'] }, [`${pointer(0)} (did you mean \`/description\`?)`]],
    [{ ignore: ['/mutual_tls/x'] }, [pointer(0)]],
    [{ ignore: ['/hostports/0'] }, [pointer(0)]],
    [{ ignore: ['/id'] }, [expect.stringContaining(pointer(0))]],
    [{ adopt: '' }, [expect.stringContaining(`${at('adopt')} must be the id of an existing resource`)]],
    [{ adopt: 1 }, [expect.stringContaining(`${at('adopt')} must be the id of an existing resource`)]],
    [
      { adopt: 'a_1', adopt_from: '0123ABCD' },
      [`${at('adopt_from')} must be the id of a stack, eight hexadecimal digits`],
    ],
    [
      { adopt: 'a_1', adopt_from: '0123abcde' },
      [`${at('adopt_from')} must be the id of a stack, eight hexadecimal digits`],
    ],
    [{ adopt: 'a_1', adopt_from: 1 }, [`${at('adopt_from')} must be the id of a stack, eight hexadecimal digits`]],
    [{ moved_from: 'market' }, [`${moved} (write \`moved_from: HTTPSEdge/market\`)`]],
    [{ moved_from: 'Market Place' }, [moved]],
    [{ moved_from: 'HTTPSEdge/' }, [moved]],
    [{ moved_from: [] }, [moved]],
    [{ moved_from: ['HTTPSEdge/a', 1] }, [moved]],
    [{ moved_from: ['HTTPSEdge/a', 'b'] }, [moved]],
    [{ moved_from: 'Nothing/a' }, [moved]],
    [{ moved_from: 'HTTPSEdgeRoute/a' }, [movedRoute], 'HTTPSEdgeRoute'],
  ];
  test.each<[Written, readonly unknown[], string?]>(cases)('%j', (written, reports, kind = 'HTTPSEdge') => {
    const found = read(written, kind);
    expect(found.reports).toEqual(reports);
    const { adopt, ignore, ...rest } = found.lifecycle;
    expect([[undefined, 'a_1'].includes(adopt), ignore ?? [], rest]).toEqual([true, [], {}]);
  });

  test('but a former address of another kind is kept, as a stack without an id is, and known keys stand beside unknown ones', () => {
    expect(read({ moved_from: 'ReservedAddr/a' })).toEqual({
      lifecycle: { moved_from: 'ReservedAddr/a' },
      reports: [other],
    });
    expect(read({ adopt_from: '0123abcd' }).reports).toEqual([
      `${at('adopt_from')} can be set only together with \`adopt\``,
    ]);
    const { lifecycle, reports } = read({ protect: true, protected: true, valid_for: '90d' });
    expect(lifecycle).toEqual({ protect: true });
    expect(reports).toEqual([
      expect.stringMatching(/^protected: unknown field `protected` in HTTPSEdge.lifecycle.*protect/),
      expect.stringMatching(/^valid_for: unknown field `valid_for` in HTTPSEdge.lifecycle/),
    ]);
    expect(read({ valid_for: '90d' }, 'SSHHostCertificate')).toEqual({
      lifecycle: { valid_for: 7_776_000 },
      reports: [],
    });
  });
});
