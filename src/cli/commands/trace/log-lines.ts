// A line of an access log is rarely longer; a longer one is passed on cut off, so that memory stays bounded.
const longest = 65_536;

/** The lines of a stream, one by one, in bounded memory. */
export async function* logLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield rest + chunk.slice(start, end);
      rest = '';
      start = end + 1;
    }
    if (rest.length < longest) rest += chunk.slice(start, start + longest);
  }
  if (rest !== '') yield rest;
}
