import { safeText } from '../../../diagnostics/safe-text.ts';
import { placeText } from '../../../diagnostics/diagnostic.ts';
import { kinds } from '../../../kinds/index.ts';
import { apiVersion } from '../../../manifest/check/manifest-shape.ts';
import { renderedManifests, type RenderedManifests } from '../../../manifest/write/rendered-manifests.ts';
import { writtenText } from '../../../manifest/write/write-text.ts';
import { loadDesired, requireDescribed, type StackFlags } from '../../../stack/plan/load-desired.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import type { Context } from '../../context.ts';
import { kindNamed } from '../../usage/kind-named.ts';

type RenderFlags = Omit<StackFlags, 'parallelism'> & { readonly kind?: readonly string[] };

/** Prints the manifests of a stack as they are after patches, module sets and values. Does not contact the service. */
export async function render(context: Context, flags: RenderFlags): Promise<number> {
  const wanted = flags.kind?.map((word) => kindNamed(word).name);
  const open = await readStackConfig(context);
  const { desired, described, removedTargets } = await loadDesired(context, open, flags, 'warning');
  requireDescribed(context, described, removedTargets);
  const resources = desired.resources.filter(({ kind }) => wanted?.includes(kind) ?? true);
  const prefix = open.settings.env_prefixes?.[0] ?? '';
  const { documents, variables } = renderedManifests(resources, kinds, prefix);
  const code = context.result(
    () => documents.map(documentText).join('---\n'),
    () => ({ apiVersion, kind: 'List', items: documents.map(({ value }) => value) }),
  );
  if (variables.length > 0)
    context.log(
      'warn',
      `Secrets written in manifests were not printed. The output refers to these environment variables instead; set them before you use it:${variables.map((name) => `\n  ${name}`).join('')}`,
    );
  return code;
}

function documentText({ resource: { place }, value }: RenderedManifests['documents'][number]): string {
  return `# Source: ${safeText(placeText(place), 300)}\n${writtenText(value)}`;
}
