import { textsOf } from '../../forms/plain.ts';
import { passes, refuses, type ModuleCheck } from '../module-verdict.ts';

/** `user_agent_filter`: `allow`, unless empty, or `deny` decide by regular expressions. */
export const userAgentCheck: ModuleCheck = ({ allow, deny }, { request: { headers }, settings: { userAgents } }) => {
  const agent = headers['user-agent'] ?? '';
  const [allowed, denied] = [textsOf(allow), textsOf(deny)];
  const isAllowed = allowed.some((pattern) => matches(agent, pattern));
  const isDenied = denied.some((pattern) => matches(agent, pattern));
  if (isDenied && !(isAllowed && userAgents === 'allow')) return refuses('a pattern in `deny` matches the user agent');
  return allowed.length > 0 && !isAllowed
    ? refuses('no pattern in `allow` matches the user agent')
    : passes('`allow` and `deny` do not block the user agent');
};

/** Whether a pattern matches; the inline flags and group names of RE2 are read too, and a pattern that cannot be read matches nothing. */
function matches(agent: string, pattern: string): boolean {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  try {
    return new RegExp(pattern.slice(flags?.[0].length ?? 0).replaceAll('(?P<', '(?<'), flags?.[1] ?? '').test(agent);
  } catch {
    return false;
  }
}
