import { exposureMap } from '../../../plan/access-policy/exposure-map.ts';
import { exposureText } from '../../../render/access/exposure-text.ts';
import { readRouting } from '../../../stack/plan/read-routing.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { withWorkspace } from '../../with-workspace.ts';
import type { Context } from '../../context.ts';

interface ExposureFlags {
  readonly planned?: boolean;
  readonly plan?: string;
  readonly parallelism: number;
}

/** Lists who can reach which URLs. */
export async function exposure(context: Context, { planned, plan, parallelism }: ExposureFlags): Promise<number> {
  if (planned === true && plan !== undefined) throw new UsageError('--planned and --plan cannot be used together');
  return withWorkspace(context, { parallelism, command: 'exposure', writes: false }, async (workspace) => {
    const routing = await readRouting(context, workspace, plan);
    const found = exposureMap(routing, planned === true || plan !== undefined ? 'planned' : 'now');
    return context.result(
      () => exposureText(found, context.palette),
      () => ({
        format_version: '1.0',
        exposure: found.rows.map(({ audience, ...row }) => ({ public: audience === 'public', ...row })),
        path_variants: found.variants,
      }),
      (format) => format.exposure?.(found),
    );
  });
}
