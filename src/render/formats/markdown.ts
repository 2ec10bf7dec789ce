import { kinds } from '../../kinds/index.ts';
import { failureMarkdown } from '../outcome/failure-markdown.ts';
import { outcomeMarkdown } from '../outcome/outcome-markdown.ts';
import { planMarkdown } from '../plan/plan-markdown.ts';
import { stacksMarkdown } from '../stacks/stacks-markdown.ts';
import type { Format } from './format.ts';
import type { ExposureMap } from '../../model/exposure/exposed-urls.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';

/** Comments for pull requests. */
export const markdownFormat = {
  isInteractive: false,
  plan: ({ plan, ...result }, target) => planMarkdown(plan, { kinds, ...result, ...target }),
  outcome: (result, { maxBytes }) => outcomeMarkdown(result, maxBytes),
  exposure: exposureMarkdown,
  stacks: stacksMarkdown,
  failure: (error, { platform, maxBytes }) => failureMarkdown(error, platform, { maxBytes }),
} satisfies Format;

/** What can be reached by whom, as Markdown. */
function exposureMarkdown({ rows, variants }: ExposureMap): string {
  const lines = rows.map(({ audience, who, before, urls, route }) => {
    const now = audience === 'public' ? `**${markdownText(who)}**` : markdownText(who);
    const text = before === undefined ? now : `${now}<br>before: ${markdownText(before)}`;
    return `| ${text} | ${urls.map(markdownCode).join('<br>')} | ${markdownCode(route)} |\n`;
  });
  const spellings = variants.map(
    ({ path, variant, route }) =>
      `- ${markdownCode(variant)} reaches ${markdownCode(route)}; ${markdownCode(path)} is protected\n`,
  );
  return [
    '### Who can reach what\n\n',
    ...(lines.length === 0
      ? ['No URL of this stack can be reached.\n']
      : ['| Who | URL | Route |\n| --- | --- | --- |\n', ...lines]),
    ...(spellings.length === 0
      ? []
      : ['\nAnyone can reach these other spellings of protected paths:\n\n', ...spellings]),
  ].join('');
}
