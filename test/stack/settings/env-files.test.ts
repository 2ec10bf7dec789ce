import { expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { readStackConfig } from '../../../src/stack/settings/stack-config.ts';
import { directory, stackFile } from '../../cli/terminal.ts';

/** The environment of a stack with a file of variables, where ONE is set already. */
async function environment(text: string): Promise<Readonly<Record<string, string | undefined>>> {
  const settings = `${stackFile}secrets: {env_files: [secrets.env]}\n`;
  const dir = await directory({ 'sluice.yaml': settings, 'secrets.env': text });
  const { env } = await readStackConfig(libraryContext({ dir, env: { ONE: 'set' } }));
  return env;
}

test('a file of variables adds what is not set already; comments and blank lines say nothing', async () => {
  const text =
    '# A comment.\n\n  # Another one.\nONE=file\nTWO=plain text \r\n THREE="quoted # text"\nFOUR=\nFIVE=\'$5\'\n';
  expect(await environment(text)).toEqual({
    ONE: 'set',
    TWO: 'plain text',
    THREE: 'quoted # text',
    FOUR: '',
    FIVE: '$5',
  });
});

test('an empty variable of sluice is one that is not set: sluice.yaml decides', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile });
  const given = async (baseUrl?: string, vendor?: string) => {
    const env = { SLUICE_BASE_URL: baseUrl, SLUICE_VENDOR: vendor };
    const read = await readStackConfig(libraryContext({ dir, env }));
    return [read.baseUrl, read.vendor];
  };
  expect(await given('https://other.example.com', 'acme')).toEqual(['https://other.example.com', 'acme']);
  for (const text of ['', undefined]) expect(await given(text, text)).toEqual(['embedded', 'example']);
});

test.each(['export TWO=s3cret', 's3cret', '2=s3cret', 'TWO = s3cret'])(
  'a line that is no variable is refused by its number, as it may contain a secret: %s',
  async (line) => {
    const refused = environment(`ONE=1\n${line}\n`);
    await expect(refused).rejects.toThrow('secrets.env_files: secrets.env:2 is not NAME=value');
    await expect(refused).rejects.not.toThrow('s3cret');
  },
);

test('a value with many spaces inside is read in proportion', { timeout: 60_000 }, async () => {
  const value = `a${' '.repeat(600_000)}b`;
  expect(await environment(`TWO=${value}  \n`)).toEqual({ ONE: 'set', TWO: value });
});
