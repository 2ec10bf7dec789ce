/** One sample as Prometheus reads it. */
export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;

/** Reads the text format of Prometheus (0.0.4), strictly: what it would refuse or warn of throws. */
export function readPrometheus(text: string): readonly ReadSample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const seen = new Set<string>();
  let current = '';
  return text
    .slice(0, -1)
    .split('\n')
    .flatMap((line): ReadSample[] => {
      const [, word, about = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (word === 'HELP') {
        if (helped.has(about)) throw new Error(`help twice: ${about}`);
        helped.add(about);
        return [];
      }
      if (word === 'TYPE') {
        if (types.has(about) || !helped.has(about)) throw new Error(`type twice or before help: ${about}`);
        if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`no type: ${rest}`);
        if ((rest === 'counter') !== about.endsWith('_total')) throw new Error(`counters end in _total: ${about}`);
        types.set(about, rest);
        current = about;
        return [];
      }
      const [, name = '', inside = '', number = ''] = sampleLine.exec(line) ?? [];
      if (name === '') throw new Error(`no sample: ${line}`);
      const base = types.get(current) === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name;
      if (base !== current) throw new Error(`${name} stands under ${current}`);
      const key = `${name}{${inside}}`;
      if (seen.has(key)) throw new Error(`twice: ${key}`);
      seen.add(key);
      const value = { '+Inf': Infinity, '-Inf': -Infinity, NaN }[number] ?? Number(number);
      if (Number.isNaN(value) && number !== 'NaN') throw new Error(`no number: ${line}`);
      return [{ name, labels: labelsIn(inside), value }];
    });
}

function labelsIn(text: string): Record<string, string> {
  const labels = new Map<string, string>();
  label.lastIndex = 0;
  for (let at = 0; at < text.length; at = label.lastIndex) {
    const [, name, value] = label.exec(text) ?? [];
    if (name === undefined || value === undefined || labels.has(name)) throw new Error(`no labels: ${text}`);
    labels.set(
      name,
      value.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)),
    );
  }
  return Object.fromEntries(labels);
}
