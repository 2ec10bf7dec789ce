import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url));
const settings = { validate: true, hover: true, completion: true, schemas: {}, schemaStore: { enable: false } };

/** Starts the language server that editors use for YAML, and speaks its protocol. */
export async function startLanguageServer() {
  const server = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = new Map();
  const diagnosed = new Map();
  let received = Buffer.alloc(0);
  let ids = 0;
  let documents = 0;

  server.stdout.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, Math.max(0, end)))?.[1]);
      if (end === -1 || received.length < end + 4 + length) return;
      receive(JSON.parse(received.subarray(end + 4, end + 4 + length)));
      received = received.subarray(end + 4 + length);
    }
  });

  const textDocument = {
    completion: { completionItem: { snippetSupport: true } },
    hover: { contentFormat: ['markdown'] },
  };
  await request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument, workspace: { configuration: true } },
  });
  send({ method: 'initialized', params: {} });
  return { open, stop: () => server.kill() };

  /** Opens a document under a schema; `^` in it is the cursor. */
  function open(text, schema) {
    const whole = `# yaml-language-server: $schema=${schema}\n${text}`;
    const before = whole.slice(0, Math.max(0, whole.indexOf('^'))).split('\n');
    const position = { line: before.length - 1, character: before.at(-1).length };
    const uri = `file:///manifests/${String(++documents)}.yaml`;
    const diagnostics = new Promise((resolve) => diagnosed.set(uri, resolve));
    const opened = { uri, languageId: 'yaml', version: 1, text: whole.replace('^', '') };
    send({ method: 'textDocument/didOpen', params: { textDocument: opened } });
    return {
      diagnostics: async () => (await diagnostics).map(({ range, message }) => `${range.start.line}: ${message}`),
      hover: async () =>
        (await request('textDocument/hover', { textDocument: { uri }, position }))?.contents.value ?? '',
      complete: async () => {
        const found = await request('textDocument/completion', { textDocument: { uri }, position });
        return (found.items ?? found).map(({ label }) => label);
      },
    };
  }

  function receive({ id, method, params, result, error }) {
    if (method === 'textDocument/publishDiagnostics') diagnosed.get(params.uri)?.(params.diagnostics);
    else if (method !== undefined && id !== undefined)
      send({ id, result: method === 'workspace/configuration' ? params.items.map(() => settings) : null });
    else answers.get(id)?.(error ?? result);
  }

  function request(method, params) {
    return new Promise((resolve) => {
      answers.set(++ids, resolve);
      send({ id: ids, method, params });
    });
  }

  function send(message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`);
  }
}
