import { resolve } from 'node:path';
import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { writeOutput } from '../../../files/write-output.ts';
import { decodeText, readSafely } from '../../../files/safe-file.ts';
import { kinds } from '../../../kinds/index.ts';
import { convertTerraform, type NotConverted } from '../../../manifest/terraform/convert-terraform.ts';
import { terraformFileBytes, terraformResources } from '../../../manifest/terraform/terraform-json.ts';
import { writeManifests } from '../../../manifest/write/write-manifests.ts';
import { conversionMarkdown } from '../../../render/resources/conversion-markdown.ts';
import { UsageError, writeOutputFile } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { warnOfSecrets, writeDocuments, type WriteFlags } from '../export/export-files.ts';

const mostLines = 20;

/** Writes manifests from what Terraform prints of a state or plan. */
export async function convertTerraformFile(
  context: Context,
  file: string,
  flags: WriteFlags & { readonly report?: string },
): Promise<number> {
  const name = file === '-' ? '<stdin>' : file;
  const read =
    file === '-'
      ? decodeText(await context.io.stdin(terraformFileBytes), terraformFileBytes)
      : readSafely(resolve(context.io.cwd, file), terraformFileBytes);
  if (!('text' in read)) throw new UsageError(`${name} ${read.message}`, 'pass the output of `terraform show -json`');
  const { resources, notConverted } = convertTerraform(terraformResources(read.text, name), kinds);
  const { documents, variables } = writeManifests(resources, { kinds });
  await writeDocuments(context, documents, flags);
  const { report } = flags;
  if (report !== undefined)
    await writeOutputFile(report, () =>
      writeOutput(
        resolve(context.io.cwd, report),
        conversionMarkdown({ converted: resources.length, notConverted, variables }),
        0o644,
      ),
    );
  if (resources.length === 0 && notConverted.length === 0) context.log('warn', 'The file has no resources to convert.');
  if (notConverted.length > 0) context.log('warn', notConvertedText(notConverted));
  warnOfSecrets(context, variables);
  return exitCodes.done;
}

function notConvertedText(all: readonly NotConverted[]): string {
  const lines = all
    .slice(0, mostLines)
    .map(({ resource, field, reason }) =>
      safeText(`  ${resource}${field === undefined ? '' : ` ${field}`}: ${reason}`, 400),
    );
  const more = all.length - lines.length;
  return [
    `Not converted (${counted(all.length, 'entry', 'entries')}):`,
    ...lines,
    ...(more > 0 ? [`  and ${String(more)} more entries; --report writes all entries to a file`] : []),
  ].join('\n');
}
