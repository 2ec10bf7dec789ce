// Preloaded by what ends within minutes: V8 in Node 20 spends up to a third of the CPU of such a run on optimising code that is
// about to end. Node 22 and later do better by themselves.
if (process.versions.node.startsWith('20.')) {
  const { setFlagsFromString } = require('node:v8');
  setFlagsFromString('--liftoff-only');
  setFlagsFromString('--interrupt-budget=1000000');
}
