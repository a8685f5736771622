// What the service offers (docs/service.md). Every failure becomes a ServiceError whose message can
// be shown as it is.

import { words } from './i18n.js';
import { readEvents } from './sse.js';

const kKeyName = 'whereof-key';

export class ServiceError extends Error {
  constructor(message, status = 0, code = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

let askForKey = async () => null;

// `ask` resolves to a key, or null when none is given.
export function setKeyDialog(ask) { askForKey = ask; }

function headers(more = {}) {
  const key = sessionStorage.getItem(kKeyName);
  return key ? { ...more, Authorization: `Bearer ${key}` } : more;
}

// One question for a key at a time, however many requests were refused.
let keyRequest = null;

async function obtainKey(wasWrong) {
  keyRequest ??= askForKey(wasWrong).finally(() => { keyRequest = null; });
  const key = await keyRequest;
  if (!key) return false;
  sessionStorage.setItem(kKeyName, key);
  return true;
}

export function errorOf(status, body) {
  const error = body && typeof body === 'object' ? body.error ?? body : null;
  if (error && typeof error.message === 'string') {
    return new ServiceError(error.message, status, error.code ?? null);
  }
  return new ServiceError(words('error_status', { status }), status);
}

async function failure(response) {
  let body = null;
  try {
    body = await response.json();
  } catch { /* the status alone has to do */ }
  return errorOf(response.status, body);
}

async function request(path, options = {}) {
  for (;;) {
    const sent = headers(options.headers);
    let response;
    try {
      response = await fetch(path, { ...options, headers: sent });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new ServiceError(words('error_unreachable'));
    }
    if (response.ok) return response;
    if (response.status !== 401 || !(await obtainKey('Authorization' in sent))) {
      throw await failure(response);
    }
  }
}

const json = async (path, options) => (await request(path, options)).json();
const place = (id) => `/v1/documents/${encodeURIComponent(id)}`;
const file = (id) => `/v1/files/${encodeURIComponent(id)}`;

export const models = async () => (await json('/v1/models')).data;
export const files = async () => (await json('/v1/files')).data;
export const fileOf = (id) => json(file(id));
export const removeFile = (id) => json(file(id), { method: 'DELETE' });
export const documentOf = (id, signal) => json(place(id), { signal });
export const definitionsOf = (id, signal) => json(`${place(id)}/definitions`, { signal });
export const referencesOf = (id, signal) => json(`${place(id)}/references`, { signal });

export async function boxesOf(id, begin, end, signal) {
  return (await json(`${place(id)}/boxes?begin=${begin}&end=${end}`, { signal })).boxes;
}

// Bytes of UTF-8: places of a document count bytes.
export async function textOf(id, begin, end, signal) {
  const part = begin === undefined ? '' : `?begin=${begin}&end=${end}`;
  const response = await request(`${place(id)}/text${part}`, { signal });
  return new Uint8Array(await response.arrayBuffer());
}

export async function pictureOf(id, page, dpi, signal) {
  return (await request(`${place(id)}/pages/${page}.png?dpi=${dpi}`, { signal })).blob();
}

// Yields {kind, data} with data parsed; an `error` event is thrown.
async function* events(path, options) {
  const response = await request(path, options);
  for await (const event of readEvents(response)) {
    let data;
    try {
      data = JSON.parse(event.data);
    } catch {
      throw new ServiceError(words('error_stream'));
    }
    if (event.kind === 'error') throw errorOf(response.status, data);
    yield { kind: event.kind, data };
  }
}

export const readingOf = (id, signal) => events(`${file(id)}/events`, { signal });

function post(path, body, signal) {
  return events(path, {
    method: 'POST', signal, body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
  });
}

export const mapOf = (id, signal) => post(`${place(id)}/map`, {}, signal);
export const ask = (body, signal) => post('/v1/ask', body, signal);
export const why = (body, signal) => post('/v1/why', body, signal);

// fetch tells nothing of how much was sent, so this is the one place with the older interface.
function sendOnce(chosen, progress) {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', '/v1/files');
    for (const [name, value] of Object.entries(headers())) call.setRequestHeader(name, value);
    call.responseType = 'json';
    call.upload.addEventListener('progress', (event) => progress(event.loaded, event.total));
    call.addEventListener('error', () => reject(new ServiceError(words('error_unreachable'))));
    call.addEventListener('load', () => {
      if (call.status >= 200 && call.status < 300 && call.response) resolve(call.response);
      else reject(errorOf(call.status, call.response));
    });
    const form = new FormData();
    form.append('purpose', 'user_data');
    form.append('file', chosen, chosen.name);
    call.send(form);
  });
}

export async function upload(chosen, progress) {
  for (;;) {
    const hadKey = 'Authorization' in headers();
    try {
      return await sendOnce(chosen, progress);
    } catch (error) {
      if (error.status !== 401 || !(await obtainKey(hadKey))) throw error;
    }
  }
}
