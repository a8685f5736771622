// Server-sent events of a fetched response. EventSource can neither post nor send a key.
//
// A line may be of any length and come in any number of pieces: each piece is looked through once.

export async function* readEvents(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pieces = [];
  let kind = '';
  let data = [];
  const take = (line) => {
    if (line === '') {
      const event = data.length > 0 ? { kind: kind || 'message', data: data.join('\n') } : null;
      kind = '';
      data = [];
      return event;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') kind = value;
    if (field === 'data') data.push(value);
    return null;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = value.split('\n');
      for (let i = 0; i + 1 < lines.length; ++i) {
        pieces.push(lines[i]);
        const event = take(pieces.join('').replace(/\r$/, ''));
        pieces = [];
        if (event) yield event;
      }
      pieces.push(lines[lines.length - 1]);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
