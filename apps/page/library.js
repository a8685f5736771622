// The documents: adding by button or drop, reading progress, choosing, removing.

import * as api from './api.js';
import { announce, element, find, iconButton, replaceChildren } from './dom.js';
import { confirmDialog } from './dialogs.js';
import { listen, tell } from './events.js';
import { icon } from './icons.js';
import { number, words } from './i18n.js';

// What is listed: the service's file objects, and uploads under way as {filename, uploading}.
let files = [];
let uploads = [];
let openId = null;

export const readableFiles = () => files.filter((file) => file.status === 'processed');
export const fileById = (id) => files.find((file) => file.id === id) ?? null;
export const openFile = () => fileById(openId);

// Answers name a document by the hash of its bytes.
export const idOfHash = (hash) => `file-${hash.slice(0, 24)}`;

function put(file) {
  const at = files.findIndex((known) => known.id === file.id);
  if (at < 0) files.unshift(file);
  else files[at] = file;
}

function stateLine(file) {
  if (file.status === 'error') {
    return words('not_readable', { reason: file.status_details ?? '' });
  }
  if (file.status !== 'processed') {
    const { done, total, seconds_left: left } = file.progress ?? {};
    if (!total) return words('reading');
    const percent = Math.floor(100 * done / total);
    return left > 0 ? words('reading_left', { percent, seconds: Math.ceil(left) })
      : words('reading_share', { percent });
  }
  const about = file.whereof ?? {};
  const parts = [about.type];
  if (about.pages > 0) {
    parts.push(about.pages === 1 ? words('page_one')
      : words('pages_count', { count: number(about.pages) }));
  } else if (about.characters) {
    parts.push(words('characters_count', { count: number(about.characters) }));
  }
  return parts.filter(Boolean).join(' · ');
}

function warningLines(file) {
  const about = file.whereof ?? {};
  const lines = [...(about.warnings ?? [])];
  if (about.pages_recognized > 0) {
    lines.unshift(words('pages_recognized', { count: number(about.pages_recognized) }));
  }
  if (about.pages_without_text > 0) {
    lines.unshift(words('pages_without_text', { count: number(about.pages_without_text) }));
  }
  return lines;
}

function progressBar(name, share) {
  const bar = element('progress', { max: 1, 'aria-label': name });
  if (share !== undefined) bar.value = share;
  return bar;
}

function fileItem(file) {
  const isReady = file.status === 'processed';
  const isOpen = file.id === openId;
  const progress = file.progress?.total ? file.progress.done / file.progress.total : undefined;
  const warnings = isReady ? warningLines(file) : [];
  return element('li', { class: `file file-${file.status}`, data: { id: file.id } },
    element('button', {
      type: 'button', class: 'file-open', disabled: !isReady, 'aria-current': isOpen && 'true',
      on: { click: () => tell('open', { id: file.id }) },
    }, icon('document'),
    element('span', { class: 'file-name', dir: 'auto' }, file.filename),
    element('span', { class: 'file-state' }, stateLine(file))),
    iconButton(words('remove_document', { name: file.filename }), icon('remove'), {
      class: 'file-remove', on: { click: () => remove(file) },
    }),
    file.status === 'processing' ? progressBar(words('reading'), progress) : null,
    isOpen && warnings.length > 0
      ? element('ul', { class: 'file-warnings' }, warnings.map((line) => element('li', {}, line)))
      : null);
}

function uploadItem(upload) {
  const percent = Math.floor(100 * upload.share);
  return element('li', { class: `file ${upload.failure ? 'file-error' : 'file-uploading'}` },
    element('div', { class: 'file-open' }, icon('document'),
      element('span', { class: 'file-name', dir: 'auto' }, upload.filename),
      element('span', { class: 'file-state', role: upload.failure && 'alert' },
        upload.failure ?? words('uploading', { percent }))),
    upload.failure
      ? iconButton(words('remove_document', { name: upload.filename }), icon('remove'), {
        class: 'file-remove',
        on: { click: () => { uploads = uploads.filter((one) => one !== upload); render(); } },
      })
      : progressBar(upload.filename, upload.share));
}

function render() {
  const place = find('#files');
  const focused = place.contains(document.activeElement)
    ? document.activeElement.closest('[data-id]')?.dataset.id : null;
  if (files.length === 0 && uploads.length === 0) {
    replaceChildren(place, element('p', { class: 'note' }, words('no_documents')));
  } else {
    replaceChildren(place, element('ul', { class: 'files' }, uploads.map(uploadItem),
      files.map(fileItem)));
  }
  if (focused) place.querySelector(`[data-id="${CSS.escape(focused)}"] .file-open`)?.focus();
  tell('files');
}

async function remove(file) {
  if (!(await confirmDialog(words('remove_question', { name: file.filename }), words('remove')))) {
    return;
  }
  try {
    await api.removeFile(file.id);
  } catch (error) {
    announce(error.message);
    if (error.status !== 404) {
      file.status_details = error.message;
      render();
      return;
    }
  }
  files = files.filter((known) => known.id !== file.id);
  if (openId === file.id) {
    openId = null;
    tell('opened', { document: null });
  }
  render();
  announce(words('document_removed', { name: file.filename }));
}

// Follows the reading of a file until it is read or refused.
async function follow(id, opensAfter) {
  try {
    for await (const { kind, data } of api.readingOf(id)) {
      const file = fileById(id);
      if (!file) return;
      if (kind === 'progress') file.progress = data;
      if (kind === 'file') put(data);
      render();
    }
    const state = await api.fileOf(id);
    put(state);
  } catch (error) {
    const file = fileById(id);
    if (file) Object.assign(file, { status: 'error', status_details: error.message });
  }
  render();
  const file = fileById(id);
  if (file && opensAfter && file.status === 'processed') tell('open', { id });
}

async function add(chosen) {
  const upload = { filename: chosen.name, share: 0 };
  uploads.unshift(upload);
  render();
  try {
    if (chosen.size === 0) {
      throw new api.ServiceError(words('error_empty_file', { name: chosen.name }));
    }
    const file = await api.upload(chosen, (sent, total) => {
      upload.share = total > 0 ? sent / total : 0;
      render();
    });
    uploads = uploads.filter((one) => one !== upload);
    put(file);
    render();
    if (file.status === 'processed') tell('open', { id: file.id });
    else if (file.status !== 'error') await follow(file.id, true);
  } catch (error) {
    upload.failure = error.message;
    render();
    announce(`${upload.filename}: ${error.message}`);
  }
}

// One after the other: the reading of the first is shown while the next one is copied.
export async function addFiles(list) {
  for (const chosen of list) await add(chosen);
}

function startDrop() {
  const shade = find('#drop');
  const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    shade.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) shade.hidden = true;
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    shade.hidden = true;
    addFiles([...event.dataTransfer.files]);
  });
}

export async function startLibrary() {
  find('#upload-icon').append(icon('upload'));
  find('#upload').addEventListener('change', (event) => {
    addFiles([...event.target.files]);
    event.target.value = '';
  });
  startDrop();
  listen('language', render);
  listen('opened', ({ document }) => {
    if (document) openId = document.id;
    render();
  });
  render();
  let listed;
  try {
    listed = await api.files();
  } catch (error) {
    replaceChildren(find('#files'), element('p', { class: 'failure', role: 'alert' },
      error.message));
    return;
  }
  // What was added meanwhile stays, and is newer than the list.
  listed = listed.filter((file) => !fileById(file.id));
  files.push(...listed);
  render();
  for (const file of listed) {
    if (file.status !== 'processed' && file.status !== 'error') follow(file.id, false);
  }
  const first = readableFiles()[0];
  if (first && openId === null) tell('open', { id: first.id });
}
