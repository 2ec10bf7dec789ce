import * as z from 'zod';
import { requirements } from '../../model/exposure/access-rules.ts';
import { placeJsonSchema } from '../diagnostics/diagnostic-json-schema.ts';

const text = z.string();
const verdict = z.enum(['holds', 'broken', 'unproven']);

/** The shape of the verdict on one access rule. */
export const ruleJsonSchema = z.strictObject({
  name: text.describe('The name of the access rule; `public` is the rule of `access.public`.'),
  set_by: z
    .enum(['repository', 'operator'])
    .describe('Where the rule is written: in `sluice.yaml`, or in the operator policy.'),
  verdict: verdict.describe('Whether the rule is satisfied after the plan or, without a plan, by the manifests.'),
  verdict_now: verdict.optional().describe('Whether the rule is satisfied in the account now.'),
  breach: z.boolean().describe('Whether the rule is broken, or is unproven while `access.strict` is true.'),
  allowed: z.boolean().describe('Whether `--allow rule:NAME` allows the plan to break the rule.'),
  causes: z.array(text).describe('The addresses whose changes break the rule or leave it broken.'),
  findings: z
    .array(
      z.strictObject({
        verdict: verdict.exclude(['holds']).describe('Whether requests to this route break the rule.'),
        temporary: z
          .literal(true)
          .optional()
          .describe(
            'Whether the rule is satisfied before and after the apply, but broken temporarily during the apply.',
          ),
        message: text,
        route: text.describe('The address of the route that handles the request.'),
        request: text
          .optional()
          .describe('An example of a request that breaks the rule, such as GET https://shop.example.com/admin.'),
        missing: z.array(z.enum(requirements)).describe('The required access control that is missing.'),
        fact: text.optional().describe('The unknown fact because of which sluice cannot verify the rule.'),
        causes: z
          .array(text)
          .describe('The addresses of the changes because of which the rule is broken or unproven for this route.'),
        source: placeJsonSchema.optional(),
      }),
    )
    .describe(
      'The routes that break the rule, or for which sluice cannot verify the rule: one entry for each route, at most 50.',
    ),
  exceptions: z
    .array(
      z.strictObject({
        url: text.describe('The URL pattern to which the rule does not apply.'),
        reason: text.describe('The reason written in the exception.'),
        until: text.describe('The last day of the exception (UTC).'),
        ended: z.boolean().describe('Whether the day in `until` is over, so that the rule applies to the URL again.'),
      }),
    )
    .describe('The exceptions: URLs to which the rule temporarily does not apply.'),
  omitted_findings: z.int().min(0).describe('The number of entries that `findings` omits.'),
});

/** The verdict on one access rule for programs. */
export type RuleJson = z.infer<typeof ruleJsonSchema>;
