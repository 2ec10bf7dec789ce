// The licences of what the build put into dist, and the same as a bill of materials (CycloneDX 1.5). Both follow from the
// metafiles of esbuild, so they name exactly what is in the files; a package without a licence text ends the build.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Licences that ask for nothing, whose packages may come without a text.
const withoutText = { Unlicense: 'Released into the public domain: https://unlicense.org' };

const isLicence = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/** The packages whose code is in the outputs of these builds, by name. */
export function bundledPackages(metafiles) {
  const used = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
    ),
  );
  const folders = used.flatMap((path) => /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const files = readdirSync(folder).filter((file) => isLicence.test(file));
      const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
      if (texts.length === 0) texts.push(withoutText[license]);
      if (texts[0] === undefined) throw new Error(`${name} has no licence text, so it cannot be bundled`);
      return { name, version, license, texts };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The licence texts, for people. */
export function noticesText(packages) {
  const parts = packages.map(({ name, version, license, texts }) => {
    const title = `${name} ${version} (${license})`;
    return `${title}\n${'='.repeat(title.length)}\n\n${texts.join('\n\n')}\n`;
  });
  return `The files of this directory contain code of these packages.\n\n${parts.join('\n\n')}`;
}

/** A bill of materials, for programs. */
export function billOfMaterials(packages, { name, version, license }) {
  const component = (one, type) => ({
    type,
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    licenses: [{ license: { id: one.license } }],
    purl: purl(one),
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: component({ name, version, license }, 'application') },
    components: packages.map((one) => component(one, 'library')),
  };
}

function purl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
