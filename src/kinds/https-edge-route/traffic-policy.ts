import { parseDocument } from 'yaml';
import { module, required, text } from '../fields.ts';
import { notEmpty } from '../checks.ts';
import type { Check } from '../kind.ts';
import { unusual } from '../lints.ts';
import { isTooDeep } from '../nesting.ts';

const jsonOrYaml: Check = {
  code: 'INVALID_POLICY_DOCUMENT',
  since: 'completed',
  test: (value) => {
    // Longer or deeper than anyone writes: whether it is good is left to the service, because finding out could take seconds.
    if (String(value).length > 100_000 || isTooDeep(String(value))) return undefined;
    const [first] = parseDocument(String(value), { uniqueKeys: false, prettyErrors: false }).errors;
    return first === undefined
      ? undefined
      : `must be valid JSON or YAML text (parser error: ${first.code.toLowerCase().replaceAll('_', ' ')})`;
  },
};

const fileName = unusual(
  /^[^\n:{[]+\.(?:ya?ml|json)\s*$/,
  'the value looks like a file name: sluice would send the name, not the content of the file',
  (text) => `to send the content of the file, write \`value: {from_file: ${text.trim()}}\``,
);

/** Rules applied to the traffic. */
export const trafficPolicy = module(
  'Applies the rules of a traffic policy to requests and responses.',
  {
    value: required(
      text('The traffic policy, as JSON or YAML text.', {
        compare: 'policy',
        format: 'policy',
        checks: [notEmpty, jsonOrYaml],
        lints: [fileName],
        widensWhen: 'changes',
      }),
    ),
  },
  { filter: 'policy', mayAnswer: true, path: { suffix: '/traffic_policy', since: 'completed' } },
);
