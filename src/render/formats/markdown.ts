import { kinds } from '../../kinds/index.ts';
import { exposureMarkdown } from '../access/exposure-markdown.ts';
import { failureMarkdown } from '../outcome/failure-markdown.ts';
import { outcomeMarkdown } from '../outcome/outcome-markdown.ts';
import { planMarkdown } from '../plan/plan-markdown.ts';
import { stacksMarkdown } from '../stacks/stacks-markdown.ts';
import type { Format } from './format.ts';

/** Comments for pull requests. */
export const markdownFormat = {
  isInteractive: false,
  plan: ({ plan, ...result }, target) => planMarkdown(plan, { kinds, ...result, ...target }),
  outcome: (result, { maxBytes }) => outcomeMarkdown(result, maxBytes),
  exposure: exposureMarkdown,
  stacks: stacksMarkdown,
  failure: (error, { platform, maxBytes }) => failureMarkdown(error, platform, { maxBytes }),
} satisfies Format;
